import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { TelephonyConfig } from '../../../config/config.js';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CallCarriers, type CarrierNumber } from '../../../providers/telephony/call-carriers.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { SANDBOX_NUMBER } from '../../../common/phone/stored-number.js';
import { NothingProvesNumbersError } from '../number-verifications.errors.js';
import { verificationText } from '../verification.texts.js';

/** What a call that proves a number is made from, and by which carrier. */
export interface VerificationCaller {
  /** Null for the sandbox's own. */
  readonly numberId: number | null;
  readonly phoneNumber: string;
  readonly carrier: CallCarrier;
}

/**
 * Chooses the carrier of a call that proves a number. An account can route calls of its own trunks anywhere, and
 * listen to calls of its own carrier account: such a call proves nothing. So it goes by a carrier of the
 * installation. Its caller is a number that the account rents there, or the one that the operator has named for all.
 */
@Injectable()
export class VerificationCallersService {
  constructor(
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
    private readonly config: TelephonyConfig,
  ) {}

  /**
   * @param chosenId of the account's number to call from; null for any. Without effect where the operator has named one.
   * @throws ValidationFailedError | NothingProvesNumbersError
   */
  async find(userId: number, chosenId: number | null): Promise<VerificationCaller> {
    const { verificationNumberId: namedId } = this.config;
    if (namedId !== undefined) return this.by(await this.numbers.findNamed(namedId));
    const owned = await this.numbers.listOwned(userId);
    const rented = owned.filter(
      ({ type, carrierAccountId }) => type === 'normal' && carrierAccountId === null,
    );
    if (chosenId === null) return this.by(rented[0] ?? null);
    const chosen = rented.find(({ id }) => id === chosenId);
    if (!chosen) {
      throw ValidationFailedError.of('phone_number_id', verificationText('verifications.caller_number'));
    }
    return this.by(chosen);
  }

  private by(number: (CarrierNumber & { readonly phoneNumber: string }) | null): VerificationCaller {
    const carrier = this.carriers.of(number);
    const isAsked = number !== null || !carrier.capabilities.reachesPeople;
    if (!isAsked || !this.carriers.proves(carrier.name)) throw new NothingProvesNumbersError();
    return { numberId: number?.id ?? null, phoneNumber: number?.phoneNumber ?? SANDBOX_NUMBER, carrier };
  }
}
