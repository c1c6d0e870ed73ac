import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many SIP trunks each account may have: all accounts share those that a process serves. */
export class SipTrunkLimits1763600000820 implements MigrationInterface {
  readonly name = 'SipTrunkLimits1763600000820';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE plans ADD COLUMN max_sip_trunks integer NOT NULL DEFAULT 500;
      UPDATE plans SET max_sip_trunks = 1000000 WHERE code = 'unlimited';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE plans DROP COLUMN max_sip_trunks');
  }
}
