import type { CallAudio } from '../../call-audio.js';
import type {
  CallEnd,
  CallEvent,
  CarrierCall,
  TransferOutcome,
  TransferProgress,
} from '../../call-carrier.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import { EventQueue } from '../../event-queue.js';
import type { ReferOutcome } from '../call/call-transfer.js';
import { ResumedCall } from '../call/resumed-call.js';
import type { SipCall } from '../call/sip-call.js';
import type { SipCallEnd } from '../call/sip-call-end.js';
import { carrierEndOf, transferOutcomeOfStatus } from './carrier-end.js';

const KEYS = /^[\d*#]$/;
/** Who was transferred hangs up by itself; otherwise we do, after so long. */
const TRANSFERRED_MS = 2_000;
/** Who has said nothing to a REFER by then is taken to have accepted it. */
const REFER_ANSWER_MS = 10_000;

export interface SipLegFacts {
  readonly callId: string;
  readonly key: string | null;
  readonly direction: 'outbound' | 'inbound';
  readonly from: string;
  readonly to: string;
}

/** What is known of a call that another process had. */
export interface SipLegPast {
  readonly answeredAt: Date;
  readonly lastHeardMs: number;
}

/** One call of the user agent, as the platform sees it. */
export class SipLeg {
  private readonly watchers = new Set<EventQueue<CallEvent>>();
  private progress: CarrierCall['progress'];
  private transferProgress: TransferProgress = 'none';
  private answeredAt: Date | null = null;
  private answeredMs = 0;
  private endedAt: Date | null = null;
  private endOfCall: CallEnd | null = null;

  /** @param onEnd called once */
  constructor(
    readonly facts: SipLegFacts,
    readonly call: SipCall,
    onEnd: (end: CallEnd) => void,
    private readonly past: SipLegPast | null = null,
  ) {
    this.progress = facts.direction === 'inbound' ? 'ringing' : 'dialing';
    if (past) {
      this.progress = 'answered';
      this.answeredAt = past.answeredAt;
      this.answeredMs = performance.now() - Math.max(Date.now() - past.answeredAt.getTime(), 0);
    }
    call.on('ringing', () => this.rings());
    call.once('answered', () => this.answered());
    call.on('key', (key) => {
      if (KEYS.test(key)) this.emit({ type: 'digits', digits: key });
    });
    call.once('ended', (end) => onEnd(this.ended(end)));
  }

  get end(): CallEnd | null {
    return this.endOfCall;
  }

  get state(): CarrierCall {
    return {
      ...this.facts,
      progress: this.progress,
      answeredBy: null,
      transfer: this.transferProgress,
      answeredAt: this.answeredAt,
      endedAt: this.endedAt,
      end: this.endOfCall,
    };
  }

  watch(events: EventQueue<CallEvent>): void {
    events.push({ type: 'state', call: this.state });
    if (this.endOfCall) {
      events.push({ type: 'ended', call: this.state });
      events.end();
      return;
    }
    this.watchers.add(events);
    events.onClose = () => this.watchers.delete(events);
  }

  /** @throws CallCarrierError `call-over` or `not-answered` */
  requireAnswered(): void {
    if (this.endOfCall) throw new CallCarrierError('call-over', 'no');
    if (!this.answeredAt) throw new CallCarrierError('not-answered', 'no');
  }

  /** @throws CallCarrierError */
  openAudio(signal: AbortSignal): CallAudio {
    this.requireAnswered();
    const audio = this.call.openAudio(signal);
    if (!audio) throw new CallCarrierError('unavailable', 'no');
    return audio;
  }

  /**
   * Has the operator connect the customer to somebody else; the outcome comes as an event.
   *
   * @throws CallCarrierError `rejected` while another transfer runs, `not-supported` where the operator refuses to transfer
   */
  async refer(transferId: string, target: string, timeoutMs: number): Promise<void> {
    this.requireAnswered();
    if (this.transferProgress !== 'none') throw new CallCarrierError('rejected', 'no');
    this.transferProgress = 'running';
    let accept = (_begun: null): void => {};
    const accepted = new Promise<null>((resolve) => {
      accept = resolve;
    });
    const late = setTimeout(() => accept(null), REFER_ANSWER_MS);
    const outcome = this.call.refer(target, undefined, timeoutMs, () => accept(null));
    const first = await Promise.race([outcome, accepted]);
    clearTimeout(late);
    if (first?.kind === 'refused') {
      this.transferProgress = 'none';
      throw new CallCarrierError(this.endOfCall ? 'call-over' : 'not-supported', 'no');
    }
    void outcome.then((last) => this.referred(transferId, transferOutcomeOf(last)));
  }

  private referred(transferId: string, outcome: TransferOutcome): void {
    this.transferProgress = outcome === 'answered' ? 'connected' : 'none';
    this.emit({ type: 'transfer', transferId, outcome });
    if (outcome === 'answered') setTimeout(() => this.call.hangUp(), TRANSFERRED_MS).unref();
  }

  private rings(): void {
    if (this.progress !== 'dialing') return;
    this.progress = 'ringing';
    this.emit({ type: 'ringing' });
  }

  private answered(): void {
    this.progress = 'answered';
    this.answeredAt = new Date();
    this.answeredMs = performance.now();
    this.emit({ type: 'answered' });
  }

  private ended(end: SipCallEnd): CallEnd {
    const carrierEnd = carrierEndOf(end, this.lastedMs);
    this.progress = 'ended';
    this.endedAt = new Date();
    this.endOfCall = carrierEnd;
    this.emit({ type: 'ended', call: this.state });
    for (const events of this.watchers) events.end();
    this.watchers.clear();
    return carrierEnd;
  }

  /** Null without an answer. What nobody took over ended with its process, or at some time after. */
  private get lastedMs(): number | null {
    if (!this.answeredAt) return null;
    const isLost = this.past && this.call instanceof ResumedCall && !this.call.isTaken;
    return isLost ? this.past.lastHeardMs : Math.round(performance.now() - this.answeredMs);
  }

  private emit(event: CallEvent): void {
    for (const events of this.watchers) events.push(event);
  }
}

function transferOutcomeOf(outcome: ReferOutcome): TransferOutcome {
  return outcome.kind === 'done' ? transferOutcomeOfStatus(outcome.status) : 'failed';
}
