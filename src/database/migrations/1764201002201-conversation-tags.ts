import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Tags that the people of an account give to conversations. */
export class ConversationTags1764201002201 extends StatedMigration {
  readonly name = 'ConversationTags1764201002201';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_tags (
        conversation_id uuid NOT NULL,
        tag text NOT NULL,
        user_id integer NOT NULL,
        CONSTRAINT conversation_tags_pkey PRIMARY KEY (conversation_id, tag),
        CONSTRAINT conversation_tags_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT conversation_tags_conversation_id_fkey
          FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
      );
      CREATE INDEX conversation_tags_tag_idx ON conversation_tags (user_id, tag, conversation_id);
    `);
  }
}
