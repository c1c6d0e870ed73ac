import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Whether a visitor opened a conversation: tools take fewer of its variables. */
export class VisitorsConversations1764200000203 extends StatedMigration {
  readonly name = 'VisitorsConversations1764200000203';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversations ADD COLUMN by_visitor boolean NOT NULL DEFAULT false');
  }
}
