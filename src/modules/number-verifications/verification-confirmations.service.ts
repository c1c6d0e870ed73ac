import { Injectable } from '@nestjs/common';
import { SpokenCodes } from '../../common/crypto/spoken-codes.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../common/time/clock.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { NumberVerification } from './number-verification.entity.js';
import {
  CodeExpiredError,
  NoCodeAwaitedError,
  VerificationNotFoundError,
  WrongCodeError,
} from './number-verifications.errors.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';
import { codePurpose } from './calling/verification-words.js';

type OwnedNumber = Awaited<ReturnType<PhoneNumbersService['listOwned']>>[number];
type Judgement = { readonly number: OwnedNumber } | { readonly refusal: DomainError };

/** Takes the codes that prove numbers. */
@Injectable()
export class VerificationConfirmationsService {
  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly numbers: PhoneNumbersService,
    private readonly accounts: AccountsService,
    private readonly codes: SpokenCodes,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

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

  private async judge(userId: number, id: number, code: string, tx: Tx): Promise<Judgement> {
    // Two that prove the same number follow one another, so that it is added once.
    await this.accounts.lockLimits(userId, tx);
    const found = (await this.verifications.findLocked(userId, id, tx)) ?? VerificationNotFoundError.throw();
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
}
