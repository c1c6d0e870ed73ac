import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';
import { applyFunction } from '../functions/apply-functions.js';

/**
 * Which assistant has a conversation after a handoff, and the tokens of its turns: null when no provider reported
 * any. What its evaluation extracts, and what remains to be done when it has ended. A message names the member or
 * the assistant that wrote it, without foreign keys: the name outlives both.
 */
export class Conversations1763600009010 extends ForwardMigration {
  readonly name = 'Conversations1763600009010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations
        ADD COLUMN speaker_id integer,
        ADD COLUMN handoffs smallint NOT NULL DEFAULT 0,
        ADD COLUMN input_tokens bigint,
        ADD COLUMN cached_input_tokens bigint,
        ADD COLUMN output_tokens bigint,
        ADD COLUMN extracted_variables jsonb NOT NULL DEFAULT '{}';
      ALTER TABLE messages
        ADD COLUMN member_id integer,
        ADD COLUMN member_name text,
        ADD COLUMN assistant_id integer,
        ADD COLUMN assistant_name text;

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
    `);
    await applyFunction(runner, 'chat/end_waiting');
  }
}
