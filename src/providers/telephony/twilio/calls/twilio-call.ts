import type { CallEnd } from '../../call/carrier-call.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import { type CallFacts, CallRecord } from '../../call-record.js';
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

export interface TwilioCallFacts extends Omit<CallFacts, 'callId'> {
  /** Whose credentials it is asked for with, and whose callbacks tell of it. */
  readonly account: CarrierAccountId;
}

/** One call as this process knows it: by what Twilio answered, called back, and streamed. */
export class TwilioCall {
  /** Twilio's id; null until Twilio has sent it. */
  sid: string | null = null;
  leg: TwilioLeg | null = null;
  /** We have asked Twilio to end it. */
  isHungUp = false;
  /** What the next stream of this call, and no other, has to show; null when none is expected. */
  token: string | null = null;
  /** What Twilio names in its reports on the call that this one is forwarded to; null where it is not forwarded. */
  forwardKey: string | null = null;
  private isRunByTwilio = false;
  readonly record: CallRecord;

  /** @param onEnd called once */
  constructor(
    readonly facts: TwilioCallFacts,
    private readonly onEnd: () => void,
  ) {
    const { key, direction, from, to } = facts;
    const factsNow = () => ({ callId: this.sid ?? '', key, direction, from, to });
    this.record = new CallRecord(factsNow, direction === 'inbound' ? 'ringing' : 'dialing');
  }

  /** @throws CallCarrierError `call-over` or `not-answered` */
  answeredLeg(): TwilioLeg {
    this.record.requireAnswered();
    if (!this.leg) throw new CallCarrierError('not-answered', 'no');
    return this.leg;
  }

  /** Its audio has arrived: from here on a party is on the line. */
  answer(leg: TwilioLeg): void {
    this.leg = leg;
    this.record.answer();
  }

  /** Twilio itself answers it and speaks: no audio comes here. */
  speakByTwiml(): void {
    this.isRunByTwilio = true;
    this.record.answer();
  }

  /** Twilio itself goes on with an answered call: no audio comes here any more. */
  continueByTwiml(): void {
    this.isRunByTwilio = true;
  }

  /** Twilio itself connects it with another number: no audio comes here. */
  forwardByTwiml(key: string): void {
    this.forwardKey = key;
    this.isRunByTwilio = true;
  }

  /**
   * Applies a status of the call that this one is forwarded to. One that is over without our having heard of its answer was
   * answered if it has a duration.
   */
  takeForwardStatus(status: TwilioCallStatus, durationSeconds: number | null): void {
    if (this.record.end) return;
    const wasTalk = status === 'completed' && (durationSeconds ?? 0) > 0;
    if ((status === 'in-progress' || wasTalk) && !this.record.isAnswered) this.record.answer();
    if (OUTCOMES[status]) this.finishForward(OUTCOMES[status], durationSeconds);
  }

  /**
   * Applies a status that Twilio reports. A repeated or outdated status changes nothing: a call goes from dialling
   * over ringing to its end and never back. The stream, not the status, reports the answer.
   */
  takeStatus(status: TwilioCallStatus, durationSeconds: number | null = null): void {
    if (this.record.end) return;
    if (this.forwardKey !== null) return this.takeForwardStatus(status, durationSeconds);
    const outcome = OUTCOMES[status];
    if (outcome) this.finish(outcome, outcome === 'failed' ? status : null, durationSeconds);
    else if (status === 'ringing') this.record.ring();
  }

  /** Twilio calls one completed whose far end did not answer. */
  private finishForward(outcome: CallEnd['outcome'], durationSeconds: number | null): void {
    const isUnanswered = outcome === 'hung-up' && !this.record.isAnswered;
    this.finish(isUnanswered ? 'no-answer' : outcome, null, durationSeconds);
  }

  private finish(outcome: CallEnd['outcome'], reason: string | null, durationSeconds: number | null): void {
    const { lastedMs } = this.record;
    // The end of a call without a stream is noticed late, so Twilio's own count is used.
    const isCounted = this.isRunByTwilio && durationSeconds !== null;
    const answeredMs = lastedMs !== null && isCounted ? durationSeconds * 1_000 : lastedMs;
    const by = this.isHungUp ? 'platform' : answeredMs === null ? 'carrier' : 'customer';
    this.record.finish(
      answeredMs !== null
        ? { outcome: 'hung-up', by, reason, answeredMs }
        : // Twilio calls one completed that was picked up, though its sound never came here.
          outcome === 'hung-up'
          ? { outcome: 'failed', by, reason: 'no stream', answeredMs: 0 }
          : { outcome, by, reason, answeredMs: 0 },
    );
    this.leg?.close();
    this.onEnd();
  }
}

const OUTCOMES: Readonly<Partial<Record<TwilioCallStatus, CallEnd['outcome']>>> = {
  completed: 'hung-up',
  busy: 'busy',
  'no-answer': 'no-answer',
  canceled: 'no-answer',
  failed: 'failed',
};
