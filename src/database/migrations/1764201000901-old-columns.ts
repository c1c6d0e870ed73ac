import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Drops what only processes of 0.3.0 use: two columns that nothing fills, and the table that `daily_usage` has replaced. */
export class OldColumns1764201000901 extends StatedMigration {
  readonly name = 'OldColumns1764201000901';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls DROP COLUMN recording_url;
      ALTER TABLE idempotency_keys DROP COLUMN response_body;
      DROP TABLE simulation_usage;
    `);
  }
}
