import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** People take over running calls: who has the customer, and what they say. */
export class CallTakeovers1764201001401 extends StatedMigration {
  readonly name = 'CallTakeovers1764201001401';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls ADD COLUMN taken_over_by jsonb;
      ALTER TABLE call_turns ADD COLUMN member_name text;
      -- NOT VALID: the existing rows satisfy the narrower check, so none is read under the lock.
      ALTER TABLE call_turns DROP CONSTRAINT call_turns_role_known;
      ALTER TABLE call_turns ADD CONSTRAINT call_turns_role_known
        CHECK (role IN ('assistant', 'customer', 'agent')) NOT VALID;
    `);
  }
}
