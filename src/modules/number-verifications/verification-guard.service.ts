import { Injectable } from '@nestjs/common';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { meansNumber } from '../../providers/telephony/sip/carrier/trunk-number.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';

/**
 * Keeps calls that prove numbers from those who only say that a number is theirs. A number that leads to this installation
 * brings such a call back here, to whichever account has typed it as the number of a trunk: its assistant would hear the code.
 */
@Injectable()
export class VerificationGuardService {
  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
  ) {}

  /** Whether an incoming call may be one of ours that speaks a code, to a number that is not proven yet. */
  async isForCode({ to, dialled = [] }: InboundOffer, phoneNumberId: number): Promise<boolean> {
    const called = await this.verifications.beingCalled();
    const isMeant = called.some((number) => [to, ...dialled].some((written) => meansNumber(written, number)));
    if (!isMeant) return false;
    const number = await this.numbers.findNamed(phoneNumberId);
    return number?.type === 'sip' && !this.carriers.isVerified(number);
  }
}
