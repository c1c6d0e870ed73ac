import type { CallSignals } from '../../../providers/telephony/call/call-line.js';
import type { TransferOutcome } from '../../../providers/telephony/call/carrier-call.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { Transfer } from '../../tools/call-controls.js';
import type { CallTermination } from '../state/call-termination.js';

export const TRANSFER_RINGING_MS = 30_000;
/** A carrier that tells of no outcome by then never will: ringing, a briefing of a minute and a decision. */
const OUTCOME_TIMEOUT_MS = 180_000;

export interface TransferRequest {
  readonly transfer: Transfer;
  readonly from: string;
  readonly briefing: string | null;
}

/** The transfers of one call, one at a time. */
export class CallTransfers {
  private count = 0;
  private running: {
    readonly id: string;
    outcome: TransferOutcome | null;
    readonly done: AbortController;
  } | null = null;

  constructor(
    private readonly carrier: CallSignals,
    private readonly callId: string,
    private readonly termination: CallTermination,
  ) {}

  /**
   * Transfers and waits for the far end. A carrier that refuses, or says nothing in time, is an outcome `failed`.
   * `not-supported`: the carrier does not do it, and the customer is on the line as before.
   *
   * @throws CallEndedError when the call ends before that
   */
  async run(
    { transfer, from, briefing }: TransferRequest,
    onError: (error: unknown) => void,
  ): Promise<TransferOutcome | 'not-supported'> {
    const running = { id: this.nextId(), outcome: null, done: new AbortController() };
    this.running = running;
    try {
      await this.carrier.transfer(this.callId, {
        transferId: running.id,
        to: transfer.to,
        from,
        ringingTimeoutMs: TRANSFER_RINGING_MS,
        briefing,
        holdMusicVolume: transfer.kind === 'warm' ? transfer.holdMusicVolume : null,
      });
      await this.termination.wait(OUTCOME_TIMEOUT_MS, running.done.signal);
      return this.running.outcome ?? 'failed';
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      if (error.code === 'not-supported') return error.code;
      onError(error);
      return 'failed';
    } finally {
      this.running = null;
    }
  }

  /** Of a transfer of this call, by whomever it is made. */
  nextId(): string {
    return `${this.callId}-${++this.count}`;
  }

  /** To be called for each `transfer` event; null is the running one. False when none of that id runs here. */
  conclude(transferId: string | null, outcome: TransferOutcome): boolean {
    if (!this.running || (transferId !== null && this.running.id !== transferId)) return false;
    this.running.outcome = outcome;
    this.running.done.abort();
    return true;
  }
}
