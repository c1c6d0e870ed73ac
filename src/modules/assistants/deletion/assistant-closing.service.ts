import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../database/transactions.js';
import { AssistantsRepository } from '../assistants.repository.js';

/** Shuts strangers out of an account that is being deleted. */
@Injectable()
export class AssistantClosingService {
  constructor(private readonly assistants: AssistantsRepository) {}

  /** Conversations and calls that are under way go on to the end of what is being said; there is no next message. */
  closeAll(userId: number, tx?: Tx): Promise<void> {
    return this.assistants.closeAll(userId, tx);
  }
}
