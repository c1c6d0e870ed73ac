import type { MigrationInterface, QueryRunner } from 'typeorm';

export class VerifiedNumbers1763600000770 implements MigrationInterface {
  readonly name = 'VerifiedNumbers1763600000770';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE phone_numbers
        ADD COLUMN verified_at timestamptz,
        ADD COLUMN verified_by text,
        ADD CONSTRAINT phone_numbers_verified_whole CHECK ((verified_at IS NULL) = (verified_by IS NULL));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE phone_numbers DROP COLUMN verified_by, DROP COLUMN verified_at');
  }
}
