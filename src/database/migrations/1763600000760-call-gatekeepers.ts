import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What had answered a call in place of a person; `answered_by` keeps to the three values of the contract. */
export class CallGatekeepers1763600000760 implements MigrationInterface {
  readonly name = 'CallGatekeepers1763600000760';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls ADD COLUMN gatekeeper text,
        ADD CONSTRAINT calls_gatekeeper_known CHECK (gatekeeper IN ('menu', 'screening')) NOT VALID;
      ALTER TABLE calls VALIDATE CONSTRAINT calls_gatekeeper_known;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN gatekeeper');
  }
}
