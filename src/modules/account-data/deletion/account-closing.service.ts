import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/transactions.js';
import { AssistantClosingService } from '../../assistants/deletion/assistant-closing.service.js';
import { AccountAccessService } from '../../auth/account-access.service.js';
import type { AccountDeletion } from './account-deletion.entity.js';
import { AccountDeletionsRepository } from './account-deletions.repository.js';

/**
 * The first step of a deletion, which cannot be undone: members lose access to the account, and visitors no longer
 * reach it.
 */
@Injectable()
export class AccountClosingService {
  constructor(
    private readonly deletions: AccountDeletionsRepository,
    private readonly access: AccountAccessService,
    private readonly assistants: AssistantClosingService,
    private readonly transactions: Transactions,
  ) {}

  /** Of one that is closed already, says how far its deletion is. A worker carries it out. */
  async close(userId: number): Promise<AccountDeletion> {
    await this.transactions.run(async (tx) => {
      await this.deletions.add(userId, tx);
      await this.access.end(userId, tx);
      await this.assistants.closeAll(userId, tx);
    });
    const deletion = await this.deletions.findOf(userId);
    if (!deletion) throw new Error(`the deletion of account ${userId} was not written down`);
    return deletion;
  }
}
