import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import { countryOf } from '../../common/phone/e164.js';
import { Transactions } from '../../database/transactions.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { RequestVerificationRequest } from './dto/number-verification.request.js';
import type { NumberVerification } from './number-verification.entity.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';
import { NumberVerificationsService } from './number-verifications.service.js';
import { VerificationAdmissionService } from './verification-admission.service.js';
import {
  type VerificationCaller,
  VerificationCallersService,
} from './calling/verification-callers.service.js';
import { VerificationChargesService } from './calling/verification-charges.service.js';
import { languageOfCountry } from './calling/verification-words.js';

/** Requests for calls that prove numbers. */
@Injectable()
export class VerificationRequestsService {
  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly existing: NumberVerificationsService,
    private readonly admission: VerificationAdmissionService,
    private readonly callers: VerificationCallersService,
    private readonly charges: VerificationChargesService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
    private readonly live: LiveEventsService,
  ) {}

  /**
   * Asks for a call to a number; a process that can speak on it makes it.
   *
   * @throws NothingProvesNumbersError | ValidationFailedError | NumberNotVerifiableError | OutsideCallingHoursError
   * @throws CarrierUnavailableError | DoNotCallError | VerificationUnderWayError | TooManyRequestsError | PaymentRequiredError
   */
  async request(userId: number, request: RequestVerificationRequest): Promise<NumberVerification> {
    const caller = await this.callers.find(userId, request.phone_number_id ?? null);
    const phoneNumber = await this.admission.numberToCall(userId, request.phone_number, caller);
    const countryCode = countryOf(phoneNumber) ?? '';
    const language = request.language ?? languageOfCountry(countryCode);
    const verification = await this.transactions.runWithVerifiedCommit((tx) =>
      this.effect.once(tx, {
        make: async () => {
          await this.admission.admit(userId, phoneNumber, tx);
          const callKey = randomUUID();
          const holdId = await this.charges.hold(userId, callKey, tx);
          const route = { callKey, holdId, ...fieldsOf(caller) };
          return this.verifications.add({ userId, phoneNumber, countryCode, language, ...route }, tx);
        },
        referenceOf: ({ id }) => String(id),
        recall: (id) => this.existing.get(userId, Number(id), tx),
      }),
    );
    this.live.publish('number-verifications', 'resync');
    return verification;
  }
}

function fieldsOf({ numberId, phoneNumber, carrier }: VerificationCaller) {
  return { callerNumberId: numberId, callerNumber: phoneNumber, carrier: carrier.name };
}
