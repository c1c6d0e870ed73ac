import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { Handles } from '../../queues/workers/handles.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { NumberVerification } from './number-verification.entity.js';
import { NoCodeAwaitedError, VerificationNotFoundError } from './number-verifications.errors.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';
import { VerificationChargesService } from './calling/verification-charges.service.js';
import { sweepNumberVerificationsJob } from './sweep-number-verifications.job.js';

type OwnedNumber = Awaited<ReturnType<PhoneNumbersService['listOwned']>>[number];

const RETENTION_DAYS = 30;

/** Numbers that an account proves to be its own, by a code that is spoken in a call to them. */
@Injectable()
export class NumberVerificationsService {
  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
    private readonly charges: VerificationChargesService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** The last ones, the newest first. */
  list(userId: number): Promise<NumberVerification[]> {
    return this.verifications.list(userId);
  }

  /** @throws VerificationNotFoundError */
  async get(userId: number, id: number, tx?: Tx): Promise<NumberVerification> {
    return (await this.verifications.find(userId, id, tx)) ?? VerificationNotFoundError.throw();
  }

  /** The account's numbers that are proven, the oldest first. */
  async listVerified(userId: number): Promise<OwnedNumber[]> {
    return (await this.numbers.listOwned(userId)).filter((number) => this.carriers.isVerified(number));
  }

  /** Nothing is proven by it any more; a call that is under way says no code. @throws VerificationNotFoundError | NoCodeAwaitedError */
  async cancel(userId: number, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const found = await this.verifications.findLocked(userId, id, tx);
      if (!found) throw new VerificationNotFoundError();
      const isWaiting = found.status === 'waiting';
      if (!isWaiting && found.status !== 'calling' && found.status !== 'spoken')
        throw new NoCodeAwaitedError();
      if (isWaiting && found.holdId !== null) await this.charges.void(found.holdId, tx);
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

  /** Ends those that no process took up, or whose process died, and deletes old ones. */
  @Handles(sweepNumberVerificationsJob)
  async sweep(): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const holdId of await this.verifications.failOverdue(tx)) await this.charges.void(holdId, tx);
    });
    await this.verifications.deleteOld(RETENTION_DAYS);
  }
}
