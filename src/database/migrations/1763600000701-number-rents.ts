import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers that were rented before are not charged by the month: nobody has told their accounts. */
export class NumberRents1763600000701 implements MigrationInterface {
  readonly name = 'NumberRents1763600000701';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE phone_numbers ADD COLUMN monthly_price_micros bigint,
        ADD COLUMN rent_months_paid integer NOT NULL DEFAULT 0,
        ADD COLUMN rent_due_at timestamptz;
      CREATE INDEX phone_numbers_rent_due_at_idx ON phone_numbers (rent_due_at) WHERE rent_due_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE phone_numbers DROP COLUMN rent_due_at, DROP COLUMN rent_months_paid, DROP COLUMN monthly_price_micros;
    `);
  }
}
