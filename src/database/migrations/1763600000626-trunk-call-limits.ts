import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TrunkCallLimits1763600000626 implements MigrationInterface {
  readonly name = 'TrunkCallLimits1763600000626';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sip_trunks ADD COLUMN max_parallel_calls integer,
        ADD CONSTRAINT sip_trunks_max_parallel_calls_positive CHECK (max_parallel_calls >= 1);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sip_trunks DROP COLUMN max_parallel_calls;');
  }
}
