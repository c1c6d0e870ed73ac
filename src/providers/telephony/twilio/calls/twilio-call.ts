import { performance } from 'node:perf_hooks';
import type { AnsweredBy, CallEnd, CallEvent, CarrierCall } from '../../call-carrier.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import type { EventQueue } from '../../event-queue.js';
import type { CarrierAccountId } from '../twilio-accounts.js';
import type { TwilioLeg } from './twilio-leg.js';

/** https://www.twilio.com/docs/voice/api/call-resource#call-status-values; `initiated` is of callbacks alone. */
export const CALL_STATUSES = [
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'no-answer',
  'canceled',
  'failed',
] as const;
export type TwilioCallStatus = (typeof CALL_STATUSES)[number];

export interface TwilioCallFacts {
  /** Whose credentials it is asked for with, and whose callbacks tell of it. */
  readonly account: CarrierAccountId;
  readonly key: string | null;
  readonly direction: 'outbound' | 'inbound';
  readonly from: string;
  readonly to: string;
}

/** One call as this process knows it: by what Twilio answered, called back, and streamed. */
export class TwilioCall {
  /** Twilio's id; null until Twilio has told it. */
  sid: string | null = null;
  leg: TwilioLeg | null = null;
  /** We have asked Twilio to end it. */
  isHungUp = false;
  /** What the next stream of this call, and no other, has to show; null when none is expected. */
  token: string | null = null;
  private readonly watchers = new Set<EventQueue<CallEvent>>();
  private progress: CarrierCall['progress'];
  private answeredAt: Date | null = null;
  private answeredMs = 0;
  private endedAt: Date | null = null;
  private endOfCall: CallEnd | null = null;
  private whoAnswered: AnsweredBy | null = null;

  /** @param onEnd called once */
  constructor(
    readonly facts: TwilioCallFacts,
    private readonly onEnd: () => void,
  ) {
    this.progress = facts.direction === 'inbound' ? 'ringing' : 'dialing';
  }

  get end(): CallEnd | null {
    return this.endOfCall;
  }

  get isAnswered(): boolean {
    return this.answeredAt !== null;
  }

  get state(): CarrierCall {
    const { key, direction, from, to } = this.facts;
    return {
      callId: this.sid ?? '',
      key,
      direction,
      from,
      to,
      progress: this.progress,
      answeredBy: this.whoAnswered,
      transfer: 'none',
      answeredAt: this.answeredAt,
      endedAt: this.endedAt,
      end: this.endOfCall,
    };
  }

  /** @throws CallCarrierError `call-over` or `not-answered` */
  answeredLeg(): TwilioLeg {
    if (this.endOfCall) throw new CallCarrierError('call-over', 'no');
    if (!this.leg) throw new CallCarrierError('not-answered', 'no');
    return this.leg;
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

  /** Its sound has come: from here on there is somebody to talk to. */
  answer(leg: TwilioLeg): void {
    this.leg = leg;
    this.progress = 'answered';
    this.answeredAt = new Date();
    this.answeredMs = performance.now();
    this.emit({ type: 'answered' });
  }

  /** Twilio's own detection has decided; once. */
  takeAnsweredBy(answeredBy: AnsweredBy): void {
    if (this.endOfCall || this.whoAnswered) return;
    this.whoAnswered = answeredBy;
    this.emit({ type: 'answering-machine-detection', answeredBy });
  }

  press(digits: string): void {
    this.emit({ type: 'digits', digits });
  }

  /**
   * Takes note of how Twilio says the call stands. What comes twice, or after what it comes before, changes nothing: a call
   * goes from dialling over ringing to its end and never back. Who has answered is told by the stream.
   */
  takeStatus(status: TwilioCallStatus): void {
    if (this.endOfCall) return;
    const outcome = OUTCOMES[status];
    if (outcome) this.finish(outcome, outcome === 'failed' ? status : null);
    else if (status === 'ringing' && this.progress === 'dialing') {
      this.progress = 'ringing';
      this.emit({ type: 'ringing' });
    }
  }

  private finish(outcome: CallEnd['outcome'], reason: string | null): void {
    const isAnswered = this.answeredAt !== null;
    const by = this.isHungUp ? 'platform' : isAnswered ? 'customer' : 'carrier';
    this.progress = 'ended';
    this.endedAt = new Date();
    this.endOfCall = isAnswered
      ? { outcome: 'hung-up', by, reason, answeredMs: Math.round(performance.now() - this.answeredMs) }
      : // Twilio calls one completed that was picked up, though its sound never came here.
        outcome === 'hung-up'
        ? { outcome: 'failed', by, reason: 'no stream', answeredMs: 0 }
        : { outcome, by, reason, answeredMs: 0 };
    this.emit({ type: 'ended', call: this.state });
    for (const events of this.watchers) events.end();
    this.watchers.clear();
    this.leg?.close();
    this.onEnd();
  }

  private emit(event: CallEvent): void {
    for (const events of this.watchers) events.push(event);
  }
}

const OUTCOMES: Readonly<Partial<Record<TwilioCallStatus, CallEnd['outcome']>>> = {
  completed: 'hung-up',
  busy: 'busy',
  'no-answer': 'no-answer',
  canceled: 'no-answer',
  failed: 'failed',
};
