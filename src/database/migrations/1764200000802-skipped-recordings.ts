import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Why a call that was to be recorded was not. */
export class SkippedRecordings1764200000802 extends StatedMigration {
  readonly name = 'SkippedRecordings1764200000802';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN recording_skipped text');
  }
}
