import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** The state of a conversation before a person closed it, which reopening restores. */
export class ReopenedConversations1764201001802 extends StatedMigration {
  readonly name = 'ReopenedConversations1764201001802';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversations ADD COLUMN before_close jsonb');
  }
}
