import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Answers that are kept for repetitions are sealed. A process of the release before goes on with `response_body`, and says of an
 * answer that is sealed that it is lost. Sealed, 256 KiB are a third longer.
 */
export class SealedAnswers1763600000802 implements MigrationInterface {
  readonly name = 'SealedAnswers1763600000802';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE idempotency_keys ADD COLUMN sealed_body text,
        ADD CONSTRAINT idempotency_keys_sealed_size CHECK (octet_length(sealed_body) <= 350000);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys DROP COLUMN sealed_body');
  }
}
