import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The movements of an account by time, for what it has spent day by day. */
export class DailySpend1763600000280 implements MigrationInterface {
  readonly name = 'DailySpend1763600000280';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX ledger_entries_user_id_created_at_idx ON ledger_entries (user_id, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ledger_entries_user_id_created_at_idx');
  }
}
