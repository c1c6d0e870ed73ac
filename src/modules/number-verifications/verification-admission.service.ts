import { Injectable } from '@nestjs/common';
import { toE164 } from '../../common/phone/e164.js';
import { Clock } from '../../common/time/clock.js';
import { CallsConfig, TelephonyConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { allowedCountries, transferTarget } from '../../runtime/call/transfers/transfer-policy.js';
import { DestinationPolicy } from '../../providers/telephony/destination-policy.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { DoNotCallService } from '../do-not-call/do-not-call.service.js';
import { DoNotCallError, CarrierUnavailableError, OutsideCallingHoursError } from '../calls/calls.errors.js';
import { CarrierBreakerService } from '../active-calls/carrier-breaker/carrier-breaker.service.js';
import { secondsUntilRetry } from '../active-calls/carrier-breaker/open-breaker.js';
import { isCallingHour, keepsHours } from '../calls/calling-hours.js';
import { NumberNotVerifiableError } from './number-verifications.errors.js';
import type { VerificationCaller } from './calling/verification-callers.service.js';
import { VerificationLimitsService } from './verification-limits.service.js';

/** Says who may be called to prove a number. */
@Injectable()
export class VerificationAdmissionService {
  constructor(
    private readonly limits: VerificationLimitsService,
    private readonly accounts: AccountsService,
    private readonly doNotCall: DoNotCallService,
    private readonly breaker: CarrierBreakerService,
    private readonly destinations: DestinationPolicy,
    private readonly calls: CallsConfig,
    private readonly telephony: TelephonyConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * The number (E.164) as calls go to it: the countries and kinds that transfers may reach, at hours at which people are called.
   *
   * @throws NumberNotVerifiableError | OutsideCallingHoursError | CarrierUnavailableError
   */
  async numberToCall(
    userId: number,
    wanted: string,
    { carrier, phoneNumber }: VerificationCaller,
  ): Promise<string> {
    const { defaultCountry } = await this.accounts.get(userId);
    const countries = allowedCountries(this.telephony.transferCountries, phoneNumber);
    const target = transferTarget(toE164(wanted, defaultCountry) ?? '', countries);
    if ('refused' in target) throw new NumberNotVerifiableError(target.refused);
    const refused = this.destinations.check(target.e164, carrier);
    if (refused) throw new NumberNotVerifiableError(refused);
    const isHour =
      !keepsHours(this.calls.callingHours, carrier) || isCallingHour(target.e164, this.clock.date());
    if (!isHour) throw new OutsideCallingHoursError();
    const breaker = await this.breaker.findOpen(carrier.name);
    if (breaker?.state === 'open') throw new CarrierUnavailableError(secondsUntilRetry(breaker));
    return target.e164;
  }

  /**
   * Locks the number and the account until the transaction ends.
   *
   * @throws DoNotCallError | VerificationUnderWayError | TooManyRequestsError
   */
  async admit(userId: number, phoneNumber: string, tx: Tx): Promise<void> {
    await this.limits.lock(userId, phoneNumber, tx);
    const listed = await this.doNotCall.listedAmong(userId, [phoneNumber], tx);
    if (listed.has(phoneNumber)) throw new DoNotCallError();
    await this.limits.check(userId, phoneNumber, tx);
  }
}
