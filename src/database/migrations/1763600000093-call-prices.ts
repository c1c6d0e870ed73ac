import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A call is charged at the prices its money was held at, whatever they become while it lasts. */
export class CallPrices1763600000093 implements MigrationInterface {
  readonly name = 'CallPrices1763600000093';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls
        ADD COLUMN price_per_minute_micros integer,
        ADD COLUMN carrier_price_per_minute_micros integer;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls DROP COLUMN carrier_price_per_minute_micros, DROP COLUMN price_per_minute_micros;
    `);
  }
}
