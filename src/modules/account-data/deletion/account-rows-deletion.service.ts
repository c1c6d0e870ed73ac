import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { AnswerPersonalDataService } from '../../idempotency/personal-data/answer-personal-data.service.js';
import { AccountTablesRepository } from '../account-tables.repository.js';
import type { AccountDeletion } from './account-deletion.entity.js';
import { AccountDeletionsRepository } from './account-deletions.repository.js';

/** Rows of one transaction. The messages of a conversation and the turns of a call are deleted with it. */
const BATCH = 200;
/** The account is closed, so that the second pass finds next to nothing. */
const MAX_PASSES = 20;

/** Deletes the rows of an account in all tables but its own, and counts them in the deletion. */
@Injectable()
export class AccountRowsDeletionService {
  constructor(
    private readonly deletions: AccountDeletionsRepository,
    private readonly tables: AccountTablesRepository,
    private readonly assistants: AssistantsService,
    private readonly answers: AnswerPersonalDataService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws Error when rows are added faster than they are deleted */
  async delete({ id, userId }: AccountDeletion): Promise<void> {
    await this.transactions.run((tx) => this.answers.forgetAccount(userId, tx));
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
