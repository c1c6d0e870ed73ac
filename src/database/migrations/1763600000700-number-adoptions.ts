import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NumberAdoptions1763600000700 implements MigrationInterface {
  readonly name = 'NumberAdoptions1763600000700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE carrier_orders DROP CONSTRAINT carrier_orders_kind_known,
        ADD CONSTRAINT carrier_orders_kind_known CHECK (kind IN ('buy', 'release', 'adopt'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM carrier_orders WHERE kind = 'adopt';
      ALTER TABLE carrier_orders DROP CONSTRAINT carrier_orders_kind_known,
        ADD CONSTRAINT carrier_orders_kind_known CHECK (kind IN ('buy', 'release'));
    `);
  }
}
