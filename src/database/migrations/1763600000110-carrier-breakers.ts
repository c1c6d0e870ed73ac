import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a carrier takes calls, for all processes: what was not sent because it did not is no attempt of a lead. */
export class CarrierBreakers1763600000110 implements MigrationInterface {
  readonly name = 'CarrierBreakers1763600000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE carrier_breakers (
        carrier text NOT NULL CONSTRAINT carrier_breakers_pkey PRIMARY KEY,
        failures integer NOT NULL DEFAULT 0,
        failed_probes integer NOT NULL DEFAULT 0,
        reason text,
        opened_at timestamptz,
        retry_at timestamptz,
        CONSTRAINT carrier_breakers_reason_known CHECK (reason IN ('unavailable', 'rate-limited')),
        CONSTRAINT carrier_breakers_open_with_reason CHECK (
          (opened_at IS NULL) = (retry_at IS NULL) AND (opened_at IS NULL OR reason IS NOT NULL))
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE carrier_breakers');
  }
}
