import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a conversation ends if nobody writes, and the integer by which its webhook names it. */
export class IdleConversations1763600000061 implements MigrationInterface {
  readonly name = 'IdleConversations1763600000061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations
        ADD COLUMN number serial NOT NULL,
        ADD COLUMN idle_at timestamptz;
      UPDATE conversations
      SET idle_at = now() + make_interval(mins => (assistants.config->>'conversation_inactivity_timeout')::integer)
      FROM assistants WHERE assistants.id = conversations.assistant_id AND conversations.ended_at IS NULL;
      CREATE INDEX conversations_idle_idx ON conversations (idle_at) WHERE ended_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX conversations_idle_idx;
      ALTER TABLE conversations DROP COLUMN number, DROP COLUMN idle_at;
    `);
  }
}
