import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * No customer waits in a conversation that has ended. A conversation that should have ended gets the end that it
 * should have had, from which its retention is counted. Apart from the trigger of the migration before, which
 * locks the table.
 */
export class EndedConversations1763600009011 extends ForwardMigration {
  readonly name = 'EndedConversations1763600009011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE conversations SET waiting_since = NULL WHERE ended_at IS NOT NULL AND waiting_since IS NOT NULL;

      UPDATE conversations SET idle_at = idle.at, ended_at = CASE WHEN idle.at <= now() THEN idle.at END
      FROM (SELECT id, coalesce(last_message_at, created_at) + interval '30 minutes' AS at
            FROM conversations WHERE ended_at IS NULL AND idle_at IS NULL) AS idle
      WHERE conversations.id = idle.id AND conversations.ended_at IS NULL AND conversations.idle_at IS NULL;
    `);
  }
}
