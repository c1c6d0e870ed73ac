import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UnpaidRents1763600000740 implements MigrationInterface {
  readonly name = 'UnpaidRents1763600000740';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE phone_numbers ADD COLUMN rent_unpaid_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE phone_numbers DROP COLUMN rent_unpaid_since');
  }
}
