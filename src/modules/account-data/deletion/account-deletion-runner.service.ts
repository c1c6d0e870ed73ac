import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { FileStorage } from '../../../providers/storage/file-storage.js';
import { JobsService } from '../../../queues/jobs.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { BillingService } from '../../billing/billing.service.js';
import { EndRequestsService } from '../../active-calls/ends/end-requests.service.js';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import { ConversationExpiryService } from '../../conversations/personal-data/conversation-expiry.service.js';
import { AnswerPersonalDataService } from '../../idempotency/personal-data/answer-personal-data.service.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { filePrefixesOf } from '../account-files.js';
import { AccountTablesRepository } from '../account-tables.repository.js';
import type { AccountDeletion } from './account-deletion.entity.js';
import { AccountDeletionsRepository } from './account-deletions.repository.js';
import { runAccountDeletionJob } from './run-account-deletion.job.js';

/** Rows of one transaction: with a conversation or a call goes all that was said in it. */
const BATCH = 200;
/** How soon it looks again at what it waits for. */
const WAIT_MS = 5_000;
/**
 * Longer than a call may last with its evaluation, and time for many tries where an account's own carrier is away. What is
 * still under way then is not waited for.
 */
const MAX_WAIT_MS = 3_600_000;
const DUE_BATCH = 100;
/** Nobody gets in, so that the second pass finds next to nothing. */
const MAX_PASSES = 20;

/**
 * Deletes an account. Each step can be repeated and leaves what it did: a process that dies is followed by another that
 * finds less. The account's own row goes last, and with it whatever was written meanwhile; nothing can refer to it later.
 */
@Injectable()
export class AccountDeletionRunnerService {
  constructor(
    private readonly deletions: AccountDeletionsRepository,
    private readonly tables: AccountTablesRepository,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly answers: AnswerPersonalDataService,
    private readonly billing: BillingService,
    private readonly calls: EndRequestsService,
    private readonly campaigns: CampaignsService,
    private readonly conversations: ConversationExpiryService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly storage: FileStorage,
    private readonly jobs: JobsService,
    private readonly logger: Logger,
    private readonly transactions: Transactions,
  ) {}

  /** Has those go on that may. */
  async wakeDue(): Promise<void> {
    for (const deletionId of await this.deletions.due(DUE_BATCH)) {
      this.jobs.wake(runAccountDeletionJob, { deletionId }, { id: `account-deletion-${deletionId}` });
    }
  }

  /** Goes on until it is over, or has to wait. Safe in many processes at once. */
  async run(id: number): Promise<void> {
    const deletion = await this.deletions.findUnderWay(id);
    if (!deletion) return;
    if (await this.isWorkLeft(deletion)) {
      await this.deletions.wait(id, WAIT_MS);
      return;
    }
    const { userId } = deletion;
    await this.transactions.run((tx) => this.answers.forgetAccount(userId, tx));
    await this.deleteRows(deletion);
    for (const prefix of filePrefixesOf(userId)) await this.storage.deletePrefix(prefix);
    await this.transactions.run(async (tx) => {
      await this.billing.closeWallet(userId, tx);
      await this.accounts.remove(userId, tx);
      await this.deletions.finish(id, tx);
    });
  }

  /** Ends what the account does. True while something is to be waited for. */
  private async isWorkLeft({ id, userId, createdAt }: AccountDeletion): Promise<boolean> {
    await this.campaigns.haltAll(userId);
    const isLate = Date.now() - createdAt.getTime() >= MAX_WAIT_MS;
    let orders = await this.phoneNumbers.deleteAll(userId);
    // Its own carrier may never answer again, and whoever has the account there sees the numbers.
    if (orders > 0 && isLate) orders = await this.phoneNumbers.abandonOwn(userId);
    const calls = await this.calls.hangUpAll(userId);
    const answers = await this.conversations.countAnswering(userId);
    // A number that is not given back would be paid for ever, and nobody would know whose it was.
    if (orders > 0) return true;
    if (calls + answers === 0) return false;
    if (!isLate) return true;
    this.logger.error('account deleted with calls or answers that did not end', { deletionId: id });
    return false;
  }

  private async deleteRows({ id, userId }: AccountDeletion): Promise<void> {
    const tables = await this.tables.toDelete();
    const ofAssistants = await this.tables.ofAssistants();
    const assistantIds = await this.assistants.idsOf(userId);
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      let found = 0;
      for (const table of ofAssistants)
        found += await this.empty(id, table, (tx) =>
          this.tables.deleteSomeOfAssistants(table, assistantIds, BATCH, tx),
        );
      for (const table of tables)
        found += await this.empty(id, table, (tx) => this.tables.deleteSome(table, userId, BATCH, tx));
      if (found === 0) return;
    }
    throw new Error(`rows of account ${userId} come faster than they are deleted`);
  }

  private async empty(id: number, table: string, deleteBatch: (tx: Tx) => Promise<number>): Promise<number> {
    for (let total = 0; ;) {
      const rows = await this.transactions.run(async (tx) => {
        const deleted = await deleteBatch(tx);
        if (deleted > 0) await this.deletions.count(id, table, deleted, tx);
        return deleted;
      });
      total += rows;
      if (rows === 0) return total;
    }
  }
}
