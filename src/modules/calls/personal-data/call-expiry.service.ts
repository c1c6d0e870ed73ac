import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/transactions.js';
import { FileCleanupsService } from '../../files/file-cleanups.service.js';
import { CallExpiryRepository } from './call-expiry.repository.js';

const BATCH = 500;

/** Takes out of an account's calls what it keeps for some time alone. Costs, times and counts stay. */
@Injectable()
export class CallExpiryService {
  constructor(
    private readonly calls: CallExpiryRepository,
    private readonly cleanups: FileCleanupsService,
    private readonly transactions: Transactions,
  ) {}

  /** Empties calls that are older than that, as an erasure does. Safe in many processes at once. */
  async emptyOld(userId: number, ageMs: number): Promise<void> {
    const emptyBatch = () =>
      this.transactions.run(async (tx) => {
        const { count, recordings } = await this.calls.emptyOld(userId, ageMs, BATCH, tx);
        await this.cleanups.discard(recordings, tx);
        return count;
      });
    while ((await emptyBatch()) === BATCH);
  }

  /** Deletes the recordings of calls that are older than that. Safe in many processes at once. */
  async forgetOldRecordings(userId: number, ageMs: number): Promise<void> {
    const forgetBatch = () =>
      this.transactions.run(async (tx) => {
        const recordings = await this.calls.forgetOldRecordings(userId, ageMs, BATCH, tx);
        await this.cleanups.discard(recordings, tx);
        return recordings.length;
      });
    while ((await forgetBatch()) === BATCH);
  }
}
