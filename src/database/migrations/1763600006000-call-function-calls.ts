import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the tools of a call were asked and have answered. */
export class CallFunctionCalls1763600006000 implements MigrationInterface {
  readonly name = 'CallFunctionCalls1763600006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE calls ADD COLUMN function_calls jsonb NOT NULL DEFAULT '[]';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN function_calls;');
  }
}
