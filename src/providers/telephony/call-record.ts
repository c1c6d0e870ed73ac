import { performance } from 'node:perf_hooks';
import type {
  AnsweredBy,
  CallEnd,
  CallEvent,
  CallProgress,
  CarrierCall,
  TransferOutcome,
  TransferProgress,
} from './call/carrier-call.js';
import { CallCarrierError } from './call-carrier-error.js';
import type { EventQueue } from './event-queue.js';

/** The facts of a call that never change. */
export type CallFacts = Pick<CarrierCall, 'callId' | 'key' | 'direction' | 'from' | 'to'>;

/**
 * The state of one call, for a carrier whose calls live in this process. Watchers are notified of changes at once.
 */
export class CallRecord {
  private readonly watchers = new Set<EventQueue<CallEvent>>();
  private transferProgress: TransferProgress = 'none';
  private whoAnswered: AnsweredBy | null = null;
  private answeredAt: Date | null = null;
  private answeredMs = 0;
  private isHeld = false;
  private endedAt: Date | null = null;
  private endOfCall: CallEnd | null = null;

  /** @param facts asked for whenever the call is shown: some carriers tell the id of a call late */
  constructor(
    private readonly facts: () => CallFacts,
    private progress: Exclude<CallProgress, 'ended'>,
  ) {}

  get end(): CallEnd | null {
    return this.endOfCall;
  }

  get isAnswered(): boolean {
    return this.answeredAt !== null;
  }

  get isWatched(): boolean {
    return this.watchers.size > 0;
  }

  /** Since the answer; null without one. */
  get lastedMs(): number | null {
    return this.answeredAt ? Math.round(performance.now() - this.answeredMs) : null;
  }

  get state(): CarrierCall {
    return {
      ...this.facts(),
      progress: this.endOfCall ? 'ended' : this.progress,
      answeredBy: this.whoAnswered,
      transfer: this.transferProgress,
      isHeld: this.isHeld,
      answeredAt: this.answeredAt,
      endedAt: this.endedAt,
      end: this.endOfCall,
    };
  }

  /** @throws CallCarrierError `call-over` or `not-answered` */
  requireAnswered(): void {
    if (this.endOfCall) throw new CallCarrierError('call-over', 'no');
    if (!this.answeredAt) throw new CallCarrierError('not-answered', 'no');
  }

  /** The first event is the current state; for a call that is over, its end follows at once. */
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

  emit(event: CallEvent): void {
    for (const events of this.watchers) events.push(event);
  }

  /** Once, and not after an answer. */
  ring(): void {
    if (this.progress !== 'dialing') return;
    this.progress = 'ringing';
    this.emit({ type: 'ringing' });
  }

  /** @param by null while the carrier cannot tell; its detection may have decided before it tells of the answer */
  answer(by: AnsweredBy | null = null): void {
    this.whoAnswered ??= by;
    this.progress = 'answered';
    this.answeredAt = new Date();
    this.answeredMs = performance.now();
    this.emit({ type: 'answered' });
  }

  /** Another process had the call, and it was answered there. */
  resume(answeredAt: Date): void {
    this.progress = 'answered';
    this.answeredAt = answeredAt;
    this.answeredMs = performance.now() - Math.max(Date.now() - answeredAt.getTime(), 0);
  }

  /** The carrier's own detection has decided; the first decision stays. */
  detect(answeredBy: AnsweredBy): void {
    if (this.endOfCall || this.whoAnswered) return;
    this.whoAnswered = answeredBy;
    this.emit({ type: 'answering-machine-detection', answeredBy });
  }

  /** The far end has put the call on hold, or has resumed it. */
  hold(isHeld: boolean): void {
    if (this.endOfCall || isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    this.emit({ type: 'hold', isHeld });
  }

  /** @throws CallCarrierError as `requireAnswered`, or `rejected` while another transfer runs */
  beginTransfer(): void {
    this.requireAnswered();
    if (this.transferProgress !== 'none') throw new CallCarrierError('rejected', 'no');
    this.transferProgress = 'running';
  }

  /** The far end does not transfer: nothing has begun. */
  forgetTransfer(): void {
    this.transferProgress = 'none';
  }

  endTransfer(transferId: string, outcome: TransferOutcome): void {
    this.transferProgress = outcome === 'answered' ? 'connected' : 'none';
    this.emit({ type: 'transfer', transferId, outcome });
  }

  /** Once; no event follows it. */
  finish(end: CallEnd): void {
    this.endedAt = new Date();
    this.endOfCall = end;
    this.emit({ type: 'ended', call: this.state });
    for (const events of this.watchers) events.end();
    this.watchers.clear();
  }
}
