import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Brings the rows there are to what the migration before says of new ones; apart from it, because its trigger locks the table.
 * Conversations that should have ended have the end that they should have had, from which the time is counted that they are kept.
 */
export class EndedConversations1763600000801 implements MigrationInterface {
  readonly name = 'EndedConversations1763600000801';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE conversations SET waiting_since = NULL WHERE ended_at IS NOT NULL AND waiting_since IS NOT NULL;

      UPDATE conversations SET idle_at = idle.at, ended_at = CASE WHEN idle.at <= now() THEN idle.at END
      FROM (SELECT id, coalesce(last_message_at, created_at) + interval '30 minutes' AS at
            FROM conversations WHERE ended_at IS NULL AND idle_at IS NULL) AS idle
      WHERE conversations.id = idle.id AND conversations.ended_at IS NULL AND conversations.idle_at IS NULL;
    `);
  }

  /** What was wrong stays mended. */
  async down(): Promise<void> {}
}
