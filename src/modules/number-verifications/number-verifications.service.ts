import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpokenCodes } from '../../common/crypto/spoken-codes.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import { countryOf } from '../../common/phone/e164.js';
import { Clock } from '../../common/time/clock.js';
import { CallsConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { DailySpendCapError, InsufficientBalanceError } from '../billing/billing.errors.js';
import { BillingService } from '../billing/billing.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import { PaymentRequiredError } from '../phone-numbers/phone-numbers.errors.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { RequestVerificationRequest } from './dto/number-verification.request.js';
import type { NumberVerification } from './number-verification.entity.js';
import {
  CodeExpiredError,
  NoCodeAwaitedError,
  VerificationNotFoundError,
  WrongCodeError,
} from './number-verifications.errors.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';
import { VerificationAdmissionService } from './verification-admission.service.js';
import { type VerificationCaller, VerificationCallersService } from './verification-callers.service.js';
import { longestPriceMicros } from './verification-prices.js';
import { codePurpose, languageOfCountry } from './verification-words.js';

type OwnedNumber = Awaited<ReturnType<PhoneNumbersService['listOwned']>>[number];
type Judgement = { readonly number: OwnedNumber } | { readonly refusal: DomainError };

const RETENTION_DAYS = 30;

/** Numbers that an account proves to be its own, by a code that is spoken in a call to them. */
@Injectable()
export class NumberVerificationsService {
  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly admission: VerificationAdmissionService,
    private readonly callers: VerificationCallersService,
    private readonly numbers: PhoneNumbersService,
    private readonly accounts: AccountsService,
    private readonly billing: BillingService,
    private readonly carriers: CallCarriers,
    private readonly codes: SpokenCodes,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
    private readonly live: LiveEventsService,
    private readonly config: CallsConfig,
    private readonly clock: Clock,
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
          const holdId = await this.hold(userId, callKey, tx);
          const route = { callKey, holdId, ...fieldsOf(caller) };
          return this.verifications.add({ userId, phoneNumber, countryCode, language, ...route }, tx);
        },
        referenceOf: ({ id }) => String(id),
        recall: (id) => this.get(userId, Number(id), tx),
      }),
    );
    this.live.publish('number-verifications', 'resync');
    return verification;
  }

  /** The last ones, the newest first. */
  list(userId: number): Promise<NumberVerification[]> {
    return this.verifications.list(userId);
  }

  /** @throws VerificationNotFoundError */
  async get(userId: number, id: number, tx?: Tx): Promise<NumberVerification> {
    const found = await this.verifications.find(userId, id, tx);
    if (!found) throw new VerificationNotFoundError();
    return found;
  }

  /** The account's numbers that are proven, the oldest first. */
  async listVerified(userId: number): Promise<OwnedNumber[]> {
    return (await this.numbers.listOwned(userId)).filter((number) => this.carriers.isVerified(number));
  }

  /**
   * Takes the code that was spoken. The number it proves is returned: one that the account has connected, or a new one of the
   * type `caller_id`.
   *
   * @throws VerificationNotFoundError | NoCodeAwaitedError | CodeExpiredError | WrongCodeError
   */
  async confirm(userId: number, id: number, code: string): Promise<OwnedNumber> {
    const judgement = await this.transactions.run((tx) => this.judge(userId, id, code, tx));
    // Thrown after the commit, so that a try that was wrong is counted.
    if ('refusal' in judgement) throw judgement.refusal;
    this.numbers.verified();
    return judgement.number;
  }

  /** Nothing is proven by it any more; a call that is under way says no code. @throws VerificationNotFoundError | NoCodeAwaitedError */
  async cancel(userId: number, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const found = await this.verifications.findLocked(userId, id, tx);
      if (!found) throw new VerificationNotFoundError();
      const isWaiting = found.status === 'waiting';
      if (!isWaiting && found.status !== 'calling' && found.status !== 'spoken')
        throw new NoCodeAwaitedError();
      if (isWaiting && found.holdId !== null) await this.billing.void(found.holdId, tx);
      await this.verifications.save(
        Object.assign(found, {
          status: 'cancelled',
          codeHash: null,
          sandboxWords: null,
          ...(isWaiting ? { endedAt: this.clock.date() } : {}),
        }),
        tx,
      );
    });
  }

  /** Ends those that nobody took up or whose process died, and forgets old ones. */
  async sweep(): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const holdId of await this.verifications.failOverdue(tx)) await this.billing.void(holdId, tx);
    });
    await this.verifications.deleteOld(RETENTION_DAYS);
  }

  private async judge(userId: number, id: number, code: string, tx: Tx): Promise<Judgement> {
    // Two that prove the same number follow one another, so that it is added once.
    await this.accounts.lockLimits(userId, tx);
    const found = await this.verifications.findLocked(userId, id, tx);
    if (!found) throw new VerificationNotFoundError();
    if (found.status !== 'spoken' || found.codeHash === null) return { refusal: new NoCodeAwaitedError() };
    if (found.expiresAt <= this.clock.date()) {
      await this.close(found, { status: 'failed', failure: 'expired' }, tx);
      return { refusal: new CodeExpiredError() };
    }
    if (!this.codes.matches(codePurpose(id), code, found.codeHash)) return this.countTry(found, tx);
    await this.close(found, { status: 'verified' }, tx);
    return { number: await this.numbers.verify(userId, found, tx) };
  }

  private async countTry(found: NumberVerification, tx: Tx): Promise<Judgement> {
    found.triesLeft--;
    if (found.triesLeft > 0) await this.verifications.save(found, tx);
    else await this.close(found, { status: 'failed', failure: 'wrong-codes' }, tx);
    return { refusal: new WrongCodeError(found.triesLeft) };
  }

  /** The code is of no use any more. */
  private async close(
    found: NumberVerification,
    outcome: Partial<Pick<NumberVerification, 'status' | 'failure'>>,
    tx: Tx,
  ): Promise<void> {
    await this.verifications.save(Object.assign(found, outcome, { codeHash: null, sandboxWords: null }), tx);
  }

  private async hold(userId: number, callKey: string, tx: Tx): Promise<string | null> {
    const amountMicros = longestPriceMicros(this.config);
    if (amountMicros === 0) return null;
    try {
      return await this.billing.hold(
        userId,
        { kind: 'call', amountMicros, reference: `verification:${callKey}` },
        tx,
      );
    } catch (error) {
      const isMoney = error instanceof InsufficientBalanceError || error instanceof DailySpendCapError;
      throw isMoney ? new PaymentRequiredError(error) : error;
    }
  }
}

function fieldsOf({ numberId, phoneNumber, carrier }: VerificationCaller) {
  return { callerNumberId: numberId, callerNumber: phoneNumber, carrier: carrier.name };
}
