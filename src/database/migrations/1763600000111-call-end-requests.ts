import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A stop marks the calls that are to end, in the transaction that stops; a job hangs them up. */
export class CallEndRequests1763600000111 implements MigrationInterface {
  readonly name = 'CallEndRequests1763600000111';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls ADD COLUMN end_requested_at timestamptz;
      CREATE INDEX active_calls_end_requested_idx ON active_calls (end_requested_at) WHERE end_requested_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE active_calls DROP COLUMN end_requested_at');
  }
}
