import type { CallEnd } from '../call/carrier-call.js';
import type { CallAudio } from '@prosa/audio';
import { CallCarrierError } from '../call-carrier-error.js';
import { CallRecord } from '../call-record.js';
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
  /** The address that the far end is asked to call for a transfer; null where it cannot be asked. */
  referTargetOf: (to: string) => string | null = () => null;
  readonly record: CallRecord;
  private readonly leg: WebCallLeg;
  private readonly reader = new LineReader();
  private stopTicking: () => void = () => {};

  /** @param onEnd called once, also where only the sound of the call is over */
  constructor(
    readonly facts: LiveKitSipFacts,
    private readonly clock: LineClock,
    private readonly onEnd: (call: LiveKitSipCall) => void,
  ) {
    this.record = new CallRecord(() => ({ ...facts, direction: 'outbound' }), 'dialing');
    this.leg = new WebCallLeg({
      onKey: (digits) => this.record.emit({ type: 'digits', digits }),
      onTyped: () => {},
      onGone: (by, reason) =>
        this.finish({ outcome: 'hung-up', by, reason, answeredMs: this.record.lastedMs ?? 0 }),
    });
  }

  /** @throws CallCarrierError `call-over` or `not-answered` */
  requireRoom(): CalleeRoom {
    this.record.requireAnswered();
    if (!this.room) throw new CallCarrierError('not-answered', 'no');
    return this.room;
  }

  /** The previous reader hears no more. @throws as `requireRoom` */
  openAudio(signal: AbortSignal): CallAudio {
    this.requireRoom();
    return this.reader.open(this.leg, signal);
  }

  /** Several tell of the answer. */
  answer(): void {
    if (this.record.isAnswered || this.record.end || !this.room) return;
    this.leg.attach(this.room);
    this.stopTicking = this.clock.add((skipped) => this.leg.tick(skipped));
    void this.readLeg();
    this.record.answer();
  }

  /** Ends it for this process, which is notified once. */
  finish(reported: CallEnd): void {
    if (this.record.end) return;
    const end = this.isHungUp ? this.hungUpHere() : reported;
    this.stopTicking();
    this.record.finish(end);
    this.leg.close(end.reason ?? end.by);
    this.leave();
    this.onEnd(this);
  }

  /** The assistant's end leaves the room. */
  leave(): void {
    this.room?.close(CLOSE.over);
  }

  /** Of what happens to a call that is being hung up, each tells something else. */
  private hungUpHere(): CallEnd {
    const answeredMs = this.record.lastedMs;
    const outcome = answeredMs === null ? 'no-answer' : 'hung-up';
    return { outcome, by: 'platform', reason: null, answeredMs: answeredMs ?? 0 };
  }

  private async readLeg(): Promise<void> {
    for await (const frame of this.leg.heard) this.reader.push(frame);
    this.reader.end();
  }
}
