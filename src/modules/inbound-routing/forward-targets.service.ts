import { Injectable } from '@nestjs/common';
import { TelephonyConfig } from '../../config/config.js';
import type { TextKey } from '../../i18n/catalogue.js';
import { CallCarriers, type CarrierNumber } from '../../providers/telephony/call-carriers.js';
import { DestinationPolicy } from '../../providers/telephony/destination-policy.js';
import { allowedCountries, transferTarget } from '../../runtime/call/transfers/transfer-policy.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { inboundRoutingTexts } from './inbound-routing.texts.js';

const E164 = /^\+[1-9]\d{6,14}$/;
const REFUSED = {
  'no-number': 'number_routings.forward_format',
  country: 'number_routings.forward_country',
  'kind-of-number': 'number_routings.forward_type',
} as const;

/** A number whose calls are forwarded. */
export interface ForwardingNumber extends CarrierNumber {
  readonly userId: number;
  /** E.164, or an extension. */
  readonly phoneNumber: string;
}

/** Decides where the calls of a number may be forwarded to: as transfers, and to none of the account's own numbers. */
@Injectable()
export class ForwardTargetsService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly policy: DestinationPolicy,
    private readonly numbers: PhoneNumbersService,
    private readonly telephony: TelephonyConfig,
  ) {}

  /** Why calls of the number may not be forwarded there; null where they may. */
  async findRefusal(number: ForwardingNumber, target: string): Promise<TextKey | null> {
    const countries = allowedCountries(this.telephony.transferCountries, number.phoneNumber);
    const allowed = E164.test(target) ? transferTarget(target, countries) : { refused: 'no-number' as const };
    const refused =
      'refused' in allowed ? allowed.refused : this.policy.check(allowed.e164, this.carriers.of(number));
    if (refused) return inboundRoutingTexts(REFUSED[refused]);
    const own = await this.numbers.listOwned(number.userId);
    const isOwn = own.some(({ phoneNumber }) => phoneNumber === target);
    return isOwn ? inboundRoutingTexts('number_routings.forward_own') : null;
  }
}
