import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * Limits of plans, the movements of an account by time, and a ledger that outlives its account. It then names the
 * account by a number that is not used again. Entries are written with the wallet, which refers to the account.
 */
export class Billing1763600009002 extends ForwardMigration {
  readonly name = 'Billing1763600009002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE plans
        ADD COLUMN max_members integer NOT NULL DEFAULT 50,
        ADD COLUMN max_calls_per_second double precision,
        ADD COLUMN max_sip_trunks integer NOT NULL DEFAULT 500,
        ADD CONSTRAINT plans_max_calls_per_second_positive CHECK (max_calls_per_second > 0);
      UPDATE plans SET max_members = 1000000, max_sip_trunks = 1000000 WHERE code = 'unlimited';

      ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_user_id_fkey;
      CREATE INDEX ledger_entries_user_id_created_at_idx ON ledger_entries (user_id, created_at);
    `);
  }
}
