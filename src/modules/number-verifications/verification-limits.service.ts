import { Injectable } from '@nestjs/common';
import { LinkSigner } from '../../common/crypto/link-signer.js';
import { TooManyRequestsError } from '../../common/errors/errors.js';
import type { Person } from '../../common/personal-data/person.js';
import type { Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { VerificationUnderWayError } from './number-verifications.errors.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';

/** In 24 hours. Limits nuisance calls to one person, and the tries to guess a code. */
const MOST_OF_ACCOUNT = 10;
const MOST_OF_ACCOUNT_TO_NUMBER = 3;
const MOST_TO_NUMBER = 6;
const RETRY_SECONDS = 3_600;

/** Says how often people are called to prove a number. */
@Injectable()
export class VerificationLimitsService {
  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly accounts: AccountsService,
    private readonly signer: LinkSigner,
  ) {}

  /** Locks the number and the account until the transaction ends. */
  async lock(userId: number, phoneNumber: string, tx: Tx): Promise<void> {
    await this.verifications.lockNumber(phoneNumber, tx);
    await this.accounts.lockLimits(userId, tx);
  }

  /** @throws VerificationUnderWayError | TooManyRequestsError */
  async check(userId: number, phoneNumber: string, tx: Tx): Promise<void> {
    const written = [phoneNumber, this.markOf(phoneNumber)];
    const counts = await this.verifications.countRecent(userId, written, tx);
    if (counts.runningOfAccount > 0 || counts.runningToNumber > 0) throw new VerificationUnderWayError();
    const isTooOften =
      counts.ofAccount >= MOST_OF_ACCOUNT ||
      counts.ofAccountToNumber >= MOST_OF_ACCOUNT_TO_NUMBER ||
      counts.toNumber >= MOST_TO_NUMBER;
    if (isTooOften) throw new TooManyRequestsError(RETRY_SECONDS);
  }

  /** Erases calls that are over. Those of the last day stay counted, or an erasure would make room for more of them. */
  async forget({ userId, phoneNumber }: Person, ids: readonly number[], tx: Tx): Promise<void> {
    await this.verifications.forget(userId, ids, this.markOf(phoneNumber), tx);
  }

  /** Replaces the number (E.164) of an erased person. Calls are counted by it, and it does not reveal the number. */
  private markOf(phoneNumber: string): string {
    return `erased:${this.signer.sign(`verified number:${phoneNumber}`)}`;
  }
}
