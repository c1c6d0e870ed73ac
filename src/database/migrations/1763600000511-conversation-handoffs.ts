import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which assistant has a conversation that its own one has handed over, and which one gave an answer. No foreign keys: an
 * assistant that was deleted has left the conversation to its own one, and what it said stays said by it.
 */
export class ConversationHandoffs1763600000511 implements MigrationInterface {
  readonly name = 'ConversationHandoffs1763600000511';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations
        ADD COLUMN speaker_id integer,
        ADD COLUMN handoffs smallint NOT NULL DEFAULT 0;
      ALTER TABLE messages ADD COLUMN assistant_id integer, ADD COLUMN assistant_name text;

      -- Who has a conversation that was handed over; null for all others. Volatile, so that what the same statement has
      -- done before, and waited for, is seen.
      CREATE FUNCTION conversation_handoffs(p_conversation_id uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RETURN (
          SELECT json_build_object('speakerId', speaker_id, 'count', handoffs)
          FROM conversations WHERE id = p_conversation_id AND handoffs > 0);
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION conversation_handoffs;
      ALTER TABLE messages DROP COLUMN assistant_id, DROP COLUMN assistant_name;
      ALTER TABLE conversations DROP COLUMN speaker_id, DROP COLUMN handoffs;
    `);
  }
}
