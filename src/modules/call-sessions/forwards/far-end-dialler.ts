import type { PlaceCall } from '../../../providers/telephony/call/call-placing.js';
import type { SecondLegLine } from '../../../providers/telephony/call/call-line.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { SecondLeg } from '../../../runtime/call/transfers/second-leg.js';
import type { UnansweredStatus } from '../../call-completion/call-outcomes.js';

/** A number of the account that the far end may be called from, and the line for that. */
export interface PlacingNumber {
  readonly id: number;
  /** E.164. */
  readonly phoneNumber: string;
  readonly line: SecondLegLine;
}

type FarEndRequest = Pick<PlaceCall, 'to' | 'ringingTimeoutMs' | 'divertedFrom'> & {
  /** Of this forward alone. */
  readonly key: string;
};

/** Of the call to a far end from one number of the account. */
export function farEndKey(key: string, numberId: number): string {
  return `${key}-${numberId}`;
}

/** Calls the far end of a forward, by one number of the account after the other until it has rung. Made for a single dial. */
export class FarEndDialler {
  /** How it went without an answer; null while it rings, and once it has answered. */
  outcome: UnansweredStatus | null = null;
  private readonly gone = new AbortController();
  private current: SecondLeg | null = null;

  /** @param onError what the carrier refused */
  constructor(
    private readonly request: FarEndRequest,
    private readonly onError: (error: CallCarrierError) => void,
  ) {}

  /** Resolves with the answered leg; null without one. */
  async dial(numbers: readonly PlacingNumber[]): Promise<SecondLeg | null> {
    let outcome: UnansweredStatus = 'failed';
    for (const number of numbers) {
      if (this.gone.signal.aborted) break;
      const leg = this.legFrom(number);
      this.current = leg;
      const reached = await this.reach(leg);
      if (reached === 'answered') return leg;
      outcome = reached;
      // Another number would make a phone ring again whose owner has declined.
      if (outcome !== 'failed' || leg.hasRung) break;
    }
    this.outcome = outcome;
    return null;
  }

  /** The caller has hung up, or another process has the call: the far end stops ringing. Never fails. */
  async stop(): Promise<void> {
    this.gone.abort();
    try {
      await this.current?.hangUp();
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.onError(error);
    }
  }

  private legFrom({ id, phoneNumber, line }: PlacingNumber): SecondLeg {
    const { key, ...request } = this.request;
    const placed = {
      ...request,
      key: farEndKey(key, id),
      from: phoneNumber,
      phoneNumberId: id,
      isSecondLeg: true,
    };
    return new SecondLeg(line, placed, this.gone.signal);
  }

  private async reach(leg: SecondLeg): Promise<'answered' | UnansweredStatus> {
    try {
      const outcome = await leg.dial();
      return outcome === 'declined' ? 'busy' : outcome;
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.onError(error);
      return 'failed';
    }
  }
}
