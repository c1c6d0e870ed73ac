import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountSetUp1763600000140 implements MigrationInterface {
  readonly name = 'AccountSetUp1763600000140';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN is_set_up boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN is_set_up');
  }
}
