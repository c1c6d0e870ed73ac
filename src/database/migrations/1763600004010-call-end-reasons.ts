import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a talk ended; null for calls without an answer, and for those that ended before this was recorded. */
export class CallEndReasons1763600004010 implements MigrationInterface {
  readonly name = 'CallEndReasons1763600004010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls ADD COLUMN end_reason text,
        ADD CONSTRAINT calls_end_reason_known CHECK (end_reason IN ('customer', 'assistant', 'silence', 'max_duration', 'max_hold',
          'transfer', 'stopped', 'line_lost', 'failed')) NOT VALID;
      ALTER TABLE calls VALIDATE CONSTRAINT calls_end_reason_known;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN end_reason');
  }
}
