import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A stop marks the calls that are to end, in the transaction that stops; a job hangs them up. */
export class CallEndRequests1763600000111 implements MigrationInterface {
  readonly name = 'CallEndRequests1763600000111';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE call_runs ADD COLUMN end_requested_at timestamptz;
      CREATE INDEX call_runs_end_requested_idx ON call_runs (end_requested_at) WHERE end_requested_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_runs DROP COLUMN end_requested_at');
  }
}
