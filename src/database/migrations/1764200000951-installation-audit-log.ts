import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Entries of commands that concern no single account. Each reader names its account, so that none of them sees these. */
export class InstallationAuditLog1764200000951 extends StatedMigration {
  readonly name = 'InstallationAuditLog1764200000951';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_log_entries ALTER COLUMN user_id DROP NOT NULL');
  }
}
