import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';

/** Widget conversations that were opened without a message: any client that knows a uuid can make many. */
@Injectable()
export class UnusedConversationsRepository {
  constructor(private readonly database: Database) {}

  /** Deletes those that ended so long ago, oldest first. Returns how many. */
  remove(endedForMs: number, limit: number): Promise<number> {
    return this.database.affected(
      `WITH unused AS (
         SELECT id FROM conversations
         WHERE type = 'widget' AND message_count <= 1 AND ended_at < now() - make_interval(secs => $1)
           AND NOT EXISTS (
             SELECT FROM messages WHERE conversation_id = conversations.id AND author IN ('customer', 'agent'))
         ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       DELETE FROM conversations WHERE id IN (SELECT id FROM unused) RETURNING id`,
      [endedForMs / 1_000, limit],
    );
  }
}
