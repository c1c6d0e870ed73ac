import type { CallEnd } from '../../call-carrier.js';
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

  /**
   * Applies a status that Twilio reports. A repeated or outdated status changes nothing: a call goes from dialling
   * over ringing to its end and never back. The stream, not the status, reports the answer.
   */
  takeStatus(status: TwilioCallStatus): void {
    if (this.record.end) return;
    const outcome = OUTCOMES[status];
    if (outcome) this.finish(outcome, outcome === 'failed' ? status : null);
    else if (status === 'ringing') this.record.ring();
  }

  private finish(outcome: CallEnd['outcome'], reason: string | null): void {
    const answeredMs = this.record.lastedMs;
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
