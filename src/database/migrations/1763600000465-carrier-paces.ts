import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many calls a second a carrier is asked for, by all processes together. */
export class CarrierPaces1763600000465 implements MigrationInterface {
  readonly name = 'CarrierPaces1763600000465';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE carrier_paces (
        carrier text NOT NULL CONSTRAINT carrier_paces_pkey PRIMARY KEY,
        next_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE carrier_paces');
  }
}
