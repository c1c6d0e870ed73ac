import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Why a lead ended without an attempt. */
export class LeadRefusals1764200000202 extends StatedMigration {
  readonly name = 'LeadRefusals1764200000202';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE leads ADD COLUMN refusal_reason text');
  }
}
