import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/transactions.js';
import { FileStorage } from '../../../providers/storage/file-storage.js';
import { JobsService } from '../../../queues/jobs.service.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { PayloadOf } from '../../../queues/job-definition.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BillingService } from '../../billing/billing.service.js';
import { filePrefixesOf } from '../account-files.js';
import { AccountDeletionsRepository } from './account-deletions.repository.js';
import { AccountRowsDeletionService } from './account-rows-deletion.service.js';
import { AccountShutdownService } from './account-shutdown.service.js';
import { runAccountDeletionJob } from './run-account-deletion.job.js';
import { sweepAccountDeletionsJob } from './sweep-account-deletions.job.js';

/** Interval between checks while a deletion waits for calls, answers or a carrier. */
const WAIT_MS = 5_000;
const DUE_BATCH = 100;

/**
 * Deletes an account. Each step can be repeated and leaves what it did: when a process dies, another one continues and finds
 * less. The account's own row goes last, with the rows added during the deletion; nothing can refer to it later.
 */
@Injectable()
export class AccountDeletionRunnerService {
  constructor(
    private readonly deletions: AccountDeletionsRepository,
    private readonly shutdown: AccountShutdownService,
    private readonly rows: AccountRowsDeletionService,
    private readonly storage: FileStorage,
    private readonly billing: BillingService,
    private readonly accounts: AccountsService,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /** Enqueues the deletions that may continue now. */
  @Handles(sweepAccountDeletionsJob)
  async wakeDue(): Promise<void> {
    for (const deletionId of await this.deletions.due(DUE_BATCH)) {
      this.jobs.wake(runAccountDeletionJob, { deletionId }, { id: `account-deletion-${deletionId}` });
    }
  }

  /** Continues until the account is deleted, or the deletion has to wait. Safe in many processes at once. */
  @Handles(runAccountDeletionJob)
  async run({ deletionId: id }: PayloadOf<typeof runAccountDeletionJob>): Promise<void> {
    const deletion = await this.deletions.findUnderWay(id);
    if (!deletion) return;
    if (!(await this.shutdown.shutDown(deletion))) {
      await this.deletions.wait(id, WAIT_MS);
      return;
    }
    const { userId } = deletion;
    await this.rows.delete(deletion);
    for (const prefix of filePrefixesOf(userId)) await this.storage.deletePrefix(prefix);
    await this.transactions.run(async (tx) => {
      await this.billing.closeWallet(userId, tx);
      await this.accounts.remove(userId, tx);
      await this.deletions.finish(id, tx);
    });
  }
}
