import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** The person that a conversation is assigned to. A removed member leaves their conversations unassigned. */
export class ConversationAssignees1764201001801 extends StatedMigration {
  readonly name = 'ConversationAssignees1764201001801';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations
        ADD COLUMN assignee_id integer
          CONSTRAINT conversations_assignee_id_fkey REFERENCES members (id) ON DELETE SET NULL,
        ADD COLUMN assigned_to_owner boolean NOT NULL DEFAULT false;
      CREATE INDEX conversations_assignee_idx ON conversations (assignee_id, last_message_at, id)
        WHERE (assignee_id IS NOT NULL);
      CREATE INDEX conversations_assigned_to_owner_idx ON conversations (user_id, last_message_at, id)
        WHERE (assigned_to_owner);
    `);
  }
}
