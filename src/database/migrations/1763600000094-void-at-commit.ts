import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The money of a voided hold goes back to its wallet while the transaction commits. All work of an account wants the
 * wallet's row; whoever voided a hold kept it locked until the commit had made its way from the process.
 */
export class VoidAtCommit1763600000094 implements MigrationInterface {
  readonly name = 'VoidAtCommit1763600000094';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION give_back_hold() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE wallets SET held_micros = held_micros - OLD.amount_micros WHERE user_id = OLD.user_id;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER holds_voided AFTER UPDATE OF state ON holds DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (OLD.state = 'held' AND NEW.state = 'voided') EXECUTE FUNCTION give_back_hold();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER holds_voided ON holds;
      DROP FUNCTION give_back_hold;
    `);
  }
}
