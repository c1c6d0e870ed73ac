import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';

/** Conversations that are older than an account keeps them. */
@Injectable()
export class ConversationExpiryRepository {
  constructor(private readonly database: Database) {}

  /** Deletes those that ended so long ago, with their messages, oldest first. Returns how many. */
  deleteOld(userId: number, endedForMs: number, limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM conversations WHERE id IN (
         SELECT id FROM conversations
         WHERE user_id = $1 AND ended_at < now() - $2 * interval '1 millisecond'
           AND (turn_token IS NULL OR turn_expires_at < now())
           AND NOT EXISTS (SELECT FROM conversation_endings WHERE conversation_id = conversations.id)
         ORDER BY ended_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [userId, endedForMs, limit],
    );
  }

  /** In how many conversations of the account an answer is being made. */
  countAnswering(userId: number): Promise<number> {
    return this.database.count(
      `SELECT count(*)::integer AS conversations FROM conversations
       WHERE user_id = $1 AND turn_token IS NOT NULL AND turn_expires_at > now()`,
      [userId],
    );
  }
}
