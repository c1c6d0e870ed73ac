import { Inject, Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { nameOfAccount } from '../../../providers/telephony/carrier-name.js';
import { TwilioCallCarrier } from '../../../providers/telephony/twilio/calls/twilio-call-carrier.js';
import { isCallSid } from '../../../providers/telephony/twilio/calls/twilio-call-requests.js';
import { TWILIO, type TwilioPath } from './twilio-paths.js';

/** A phone rings, or is about to. */
const NOT_ANSWERED = new Set<string | null>(['queued', 'initiated', 'ringing']);

/** Answers Twilio where no voice process does. */
@Injectable()
export class TwilioFallbackService {
  constructor(
    private readonly carriers: CallCarriers,
    @Inject(TwilioCallCarrier) private readonly carrier: TwilioCallCarrier | null,
    private readonly logger: Logger,
  ) {}

  /** @returns TwiML by which Twilio itself speaks or forwards; null where nothing can be said */
  async answer({ kind, account }: TwilioPath, form: URLSearchParams): Promise<string | null> {
    if (kind === 'voice') return (await this.carrier?.offer(account, form)) ?? null;
    const sid = form.get('CallSid') ?? '';
    if (!isCallSid(sid) || !NOT_ANSWERED.has(form.get('CallStatus'))) return null;
    // The call belongs to no process any more: the called person is not needed on the phone.
    this.logger.warn('call of Twilio ended, as its process is gone', { carrierCallId: sid });
    await this.carriers.named(nameOfAccount(TWILIO, account)).hangUp(sid);
    return null;
  }
}
