import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Lines that calls from browsers reserve until their browser connects, and which calls are of visitors. */
export class ReservedLines1764200000101 extends StatedMigration {
  readonly name = 'ReservedLines1764200000101';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls
        ADD COLUMN line_until timestamptz,
        ADD COLUMN by_visitor boolean NOT NULL DEFAULT false;
      CREATE INDEX active_calls_by_visitor_idx ON active_calls (user_id) WHERE by_visitor;
      CREATE INDEX active_calls_line_until_idx ON active_calls (line_until) WHERE line_until IS NOT NULL;
    `);
  }
}
