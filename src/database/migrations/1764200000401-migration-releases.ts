import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Which releases run on the database after each migration and with each text of a function. An older process reads it. */
export class MigrationReleases1764200000401 extends StatedMigration {
  readonly name = 'MigrationReleases1764200000401';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE database_migrations (
        migration text NOT NULL,
        oldest_release text NOT NULL,
        CONSTRAINT database_migrations_pkey PRIMARY KEY (migration)
      );
      ALTER TABLE database_functions ADD COLUMN oldest_release text;
    `);
  }
}
