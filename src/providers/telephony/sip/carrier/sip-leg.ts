import type { CallAudio } from '@prosa/audio';
import type { CallEnd, TransferOutcome } from '../../call/carrier-call.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import { type CallFacts, CallRecord } from '../../call-record.js';
import { type ReferOutcome, ResumedCall, type SipCall, type SipCallEnd } from '@prosa/sip';
import { carrierEndOf, transferOutcomeOfStatus } from './carrier-end.js';

const KEYS = /^[\d*#]$/;
/** Who was transferred hangs up by itself; otherwise we do, after so long. */
const TRANSFERRED_MS = 2_000;
/** Who has said nothing to a REFER by then is taken to have accepted it. */
const REFER_ANSWER_MS = 10_000;

/** What is known of a call that another process had. */
export interface SipLegPast {
  readonly answeredAt: Date;
  readonly lastHeardMs: number;
}

/** One call of the user agent, as the platform sees it. */
export class SipLeg {
  readonly record: CallRecord;

  /** @param onEnd called once */
  constructor(
    readonly facts: CallFacts,
    readonly call: SipCall,
    onEnd: (end: CallEnd) => void,
    private readonly past: SipLegPast | null = null,
  ) {
    this.record = new CallRecord(() => facts, facts.direction === 'inbound' ? 'ringing' : 'dialing');
    if (past) this.record.resume(past.answeredAt);
    call.on('ringing', () => this.record.ring());
    call.once('answered', () => this.record.answer());
    call.on('key', (key) => {
      if (KEYS.test(key)) this.record.emit({ type: 'digits', digits: key });
    });
    call.on('hold', (isHeld) => this.record.hold(isHeld));
    call.once('ended', (end) => onEnd(this.ended(end)));
  }

  /** @throws CallCarrierError */
  openAudio(signal: AbortSignal): CallAudio {
    this.record.requireAnswered();
    const audio = this.call.openAudio(signal);
    if (!audio) throw new CallCarrierError('unavailable', 'no');
    return audio;
  }

  /**
   * Asks the operator to connect the customer to a third party; the outcome comes as an event.
   *
   * @throws CallCarrierError `rejected` while another transfer runs, `not-supported` where the operator refuses to transfer
   */
  async refer(transferId: string, target: string, timeoutMs: number): Promise<void> {
    this.record.beginTransfer();
    let accept = (_begun: null): void => {};
    const accepted = new Promise<null>((resolve) => {
      accept = resolve;
    });
    const late = setTimeout(() => accept(null), REFER_ANSWER_MS);
    const outcome = this.call.refer(target, undefined, timeoutMs, () => accept(null));
    const first = await Promise.race([outcome, accepted]);
    clearTimeout(late);
    if (first?.kind === 'refused') {
      this.record.forgetTransfer();
      throw new CallCarrierError(this.record.end ? 'call-over' : 'not-supported', 'no');
    }
    void outcome.then((last) => this.referred(transferId, transferOutcomeOf(last)));
  }

  private referred(transferId: string, outcome: TransferOutcome): void {
    this.record.endTransfer(transferId, outcome);
    if (outcome === 'answered') setTimeout(() => this.call.hangUp(), TRANSFERRED_MS).unref();
  }

  private ended(sipEnd: SipCallEnd): CallEnd {
    const end = carrierEndOf(sipEnd, this.lastedMs);
    this.record.finish(end);
    return end;
  }

  /** Null without an answer. A call that no process took over ended with its process, or at an unknown time after. */
  private get lastedMs(): number | null {
    const isLost = this.past && this.call instanceof ResumedCall && !this.call.isTaken;
    return isLost ? this.past.lastHeardMs : this.record.lastedMs;
  }
}

function transferOutcomeOf(outcome: ReferOutcome): TransferOutcome {
  return outcome.kind === 'done' ? transferOutcomeOfStatus(outcome.status) : 'failed';
}
