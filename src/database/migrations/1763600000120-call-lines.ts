import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which of the platform's lines a call has, so that starts find free ones without counting under a common lock. */
export class CallLines1763600000120 implements MigrationInterface {
  readonly name = 'CallLines1763600000120';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls ADD COLUMN line integer;
      CREATE UNIQUE INDEX active_calls_line_key ON active_calls (line) WHERE line IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE active_calls DROP COLUMN line');
  }
}
