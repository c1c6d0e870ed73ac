import { Injectable } from '@nestjs/common';
import { ConversationExpiryRepository } from './conversation-expiry.repository.js';

const BATCH = 200;

/** Deletes conversations that an account does not keep any longer. */
@Injectable()
export class ConversationExpiryService {
  constructor(private readonly conversations: ConversationExpiryRepository) {}

  /** Those that ended so long ago. Safe in many processes at once. */
  async deleteOld(userId: number, endedForMs: number): Promise<void> {
    while ((await this.conversations.deleteOld(userId, endedForMs, BATCH)) === BATCH);
  }

  /** In how many conversations of the account an answer is being made. */
  countAnswering(userId: number): Promise<number> {
    return this.conversations.countAnswering(userId);
  }
}
