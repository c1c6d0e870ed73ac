import type { CallEnd, CallEvent, CarrierCall, TransferOutcome, TransferProgress } from '../call-carrier.js';
import type { CallAudio } from '../call-audio.js';
import { CallCarrierError } from '../call-carrier-error.js';
import type { EventQueue } from '../event-queue.js';
import type { LineClock } from '../line-clock.js';
import { LineReader } from '../line-reader.js';
import { WebCallLeg } from '../web/web-call-leg.js';
import { CLOSE } from '../web/web-call-protocol.js';
import type { CalleeRoom } from './callee-room.js';

export interface LiveKitSipFacts {
  /** Also the name of its room. */
  readonly callId: string;
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** One call through a room, as this process knows it. */
export class LiveKitSipCall {
  /** The assistant's end; null until it is there. */
  room: CalleeRoom | null = null;
  /** Who is called is in the room: LiveKit has taken the call. */
  hasBegun = false;
  /** We have asked LiveKit to end it. */
  isHungUp = false;
  /** What the far end is asked to call to transfer to somebody; null for what it cannot be asked for. */
  referTargetOf: (to: string) => string | null = () => null;
  private readonly leg: WebCallLeg;
  private readonly watchers = new Set<EventQueue<CallEvent>>();
  private readonly reader = new LineReader();
  private stopTicking: () => void = () => {};
  private progress: CarrierCall['progress'] = 'dialing';
  private transferProgress: TransferProgress = 'none';
  private answeredAt: Date | null = null;
  private answeredMs = 0;
  private endedAt: Date | null = null;
  private endOfCall: CallEnd | null = null;

  /** @param onEnd called once, also where only the sound of the call is over */
  constructor(
    readonly facts: LiveKitSipFacts,
    private readonly clock: LineClock,
    private readonly onEnd: (call: LiveKitSipCall) => void,
  ) {
    this.leg = new WebCallLeg({
      onKey: (digits) => this.emit({ type: 'digits', digits }),
      onTyped: () => {},
      onGone: (by, reason) => this.finish({ outcome: 'hung-up', by, reason, answeredMs: this.lastedMs ?? 0 }),
    });
  }

  get end(): CallEnd | null {
    return this.endOfCall;
  }

  get isWatched(): boolean {
    return this.watchers.size > 0;
  }

  /** Null without an answer. */
  get lastedMs(): number | null {
    return this.answeredAt ? Math.round(performance.now() - this.answeredMs) : null;
  }

  get state(): CarrierCall {
    return {
      ...this.facts,
      direction: 'outbound',
      progress: this.progress,
      answeredBy: null,
      transfer: this.transferProgress,
      answeredAt: this.answeredAt,
      endedAt: this.endedAt,
      end: this.endOfCall,
    };
  }

  /** @throws CallCarrierError `call-over` or `not-answered` */
  requireAnswered(): CalleeRoom {
    if (this.endOfCall) throw new CallCarrierError('call-over', 'no');
    if (!this.answeredAt || !this.room) throw new CallCarrierError('not-answered', 'no');
    return this.room;
  }

  /** Whoever opened it before hears no more. @throws as `requireAnswered` */
  openAudio(signal: AbortSignal): CallAudio {
    this.requireAnswered();
    return this.reader.open(this.leg, signal);
  }

  watch(events: EventQueue<CallEvent>): void {
    events.push({ type: 'state', call: this.state });
    if (this.endOfCall) {
      events.push({ type: 'ended', call: this.state });
      return events.end();
    }
    this.watchers.add(events);
    events.onClose = () => this.watchers.delete(events);
  }

  ring(): void {
    if (this.progress !== 'dialing') return;
    this.progress = 'ringing';
    this.emit({ type: 'ringing' });
  }

  /** Several tell of the answer. */
  answer(): void {
    if (this.answeredAt || this.endOfCall || !this.room) return;
    this.progress = 'answered';
    this.answeredAt = new Date();
    this.answeredMs = performance.now();
    this.leg.attach(this.room);
    this.stopTicking = this.clock.add(() => this.leg.tick());
    void this.readLeg();
    this.emit({ type: 'answered' });
  }

  /** @throws CallCarrierError `rejected` while another transfer runs */
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

  /** Ends it for this process, which is told once. */
  finish(told: CallEnd): void {
    if (this.endOfCall) return;
    const end = this.isHungUp ? this.hungUpHere() : told;
    this.stopTicking();
    this.progress = 'ended';
    this.endedAt = new Date();
    this.endOfCall = end;
    this.leg.close(end.reason ?? end.by);
    this.leave();
    this.emit({ type: 'ended', call: this.state });
    for (const events of this.watchers) events.end();
    this.watchers.clear();
    this.onEnd(this);
  }

  /** The assistant's end leaves the room. */
  leave(): void {
    this.room?.close(CLOSE.over);
  }

  /** Of what happens to a call that is being hung up, each tells something else. */
  private hungUpHere(): CallEnd {
    const answeredMs = this.lastedMs;
    const outcome = answeredMs === null ? 'no-answer' : 'hung-up';
    return { outcome, by: 'platform', reason: null, answeredMs: answeredMs ?? 0 };
  }

  private async readLeg(): Promise<void> {
    for await (const frame of this.leg.heard) this.reader.push(frame);
    this.reader.end();
  }

  private emit(event: CallEvent): void {
    for (const events of this.watchers) events.push(event);
  }
}
