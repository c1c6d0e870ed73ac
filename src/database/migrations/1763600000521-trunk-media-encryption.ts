import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TrunkMediaEncryption1763600000521 implements MigrationInterface {
  readonly name = 'TrunkMediaEncryption1763600000521';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sip_trunks ADD COLUMN media_encryption text NOT NULL DEFAULT 'allowed',
        ADD CONSTRAINT sip_trunks_media_encryption_known
          CHECK (media_encryption IN ('disabled', 'allowed', 'required'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sip_trunks DROP COLUMN media_encryption;');
  }
}
