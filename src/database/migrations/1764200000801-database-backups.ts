import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** When `npm run backup` last succeeded: one row, or none where backups are made by other means. */
export class DatabaseBackups1764200000801 extends StatedMigration {
  readonly name = 'DatabaseBackups1764200000801';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE database_backups (
        is_last boolean NOT NULL DEFAULT true,
        began_at timestamptz NOT NULL,
        CONSTRAINT database_backups_pkey PRIMARY KEY (is_last),
        CONSTRAINT database_backups_is_last_check CHECK (is_last)
      );
    `);
  }
}
