import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is left to do for a conversation that has ended: its evaluation and its webhook. A trigger writes it with the end, whatever
 * ends the conversation, also in a process of the release before; that one sends the event of an idle conversation itself, under
 * the same kind, subject and occurrence, so that there is one.
 */
export class ConversationEndings1763600000972 implements MigrationInterface {
  readonly name = 'ConversationEndings1763600000972';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_endings (
        conversation_id uuid NOT NULL,
        occurrence integer NOT NULL,
        user_id integer NOT NULL,
        ended_at timestamptz NOT NULL,
        last_message_id bigint,
        is_evaluated boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT conversation_endings_pkey PRIMARY KEY (conversation_id, occurrence),
        CONSTRAINT conversation_endings_conversation_id_fkey FOREIGN KEY (conversation_id)
          REFERENCES conversations (id) ON DELETE CASCADE
      );
      CREATE INDEX conversation_endings_created_at_idx ON conversation_endings (created_at);

      CREATE FUNCTION note_conversation_end() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        settings jsonb;
        is_evaluated boolean;
      BEGIN
        SELECT config INTO settings FROM assistants WHERE id = NEW.assistant_id;
        IF NOT FOUND THEN RETURN NULL; END IF;
        is_evaluated := NEW.type = 'widget' AND coalesce((settings->>'post_call_evaluation')::boolean, true)
          AND EXISTS (SELECT FROM messages WHERE conversation_id = NEW.id AND author = 'customer');
        IF is_evaluated OR settings->>'conversation_ended_webhook_url' IS NOT NULL THEN
          INSERT INTO conversation_endings (conversation_id, occurrence, user_id, ended_at, last_message_id, is_evaluated)
          VALUES (NEW.id, NEW.message_count, NEW.user_id, NEW.ended_at,
            (SELECT max(id) FROM messages WHERE conversation_id = NEW.id), is_evaluated)
          ON CONFLICT DO NOTHING;
        END IF;
        RETURN NULL;
      END $$;
      ALTER TABLE conversations ADD COLUMN extracted_variables jsonb NOT NULL DEFAULT '{}';
      CREATE TRIGGER conversations_end AFTER UPDATE ON conversations
        FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
        EXECUTE FUNCTION note_conversation_end();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER conversations_end ON conversations;
      DROP FUNCTION note_conversation_end;
      DROP TABLE conversation_endings;
      ALTER TABLE conversations DROP COLUMN extracted_variables;
    `);
  }
}
