import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Several carriers side by side: each call keeps the name of its own, and the number it is placed from. */
export class CallCarriers1763600000220 implements MigrationInterface {
  readonly name = 'CallCarriers1763600000220';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls ADD COLUMN carrier text;
      ALTER TABLE active_calls ADD COLUMN carrier text NOT NULL, ADD COLUMN phone_number_id integer;
      DROP INDEX active_calls_carrier_call_id_key;
      CREATE UNIQUE INDEX active_calls_carrier_call_id_key ON active_calls (carrier, carrier_call_id)
        WHERE carrier_call_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX active_calls_carrier_call_id_key;
      CREATE UNIQUE INDEX active_calls_carrier_call_id_key ON active_calls (carrier_call_id)
        WHERE carrier_call_id IS NOT NULL;
      ALTER TABLE active_calls DROP COLUMN carrier, DROP COLUMN phone_number_id;
      ALTER TABLE calls DROP COLUMN carrier;
    `);
  }
}
