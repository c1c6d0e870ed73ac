import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for each filter of the list of deliveries, in the order of the list, which also counts what it finds. */
export class DeliveryLists1763600000803 implements MigrationInterface {
  readonly name = 'DeliveryLists1763600000803';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX webhook_deliveries_status_idx ON webhook_deliveries (user_id, status, id);
      CREATE INDEX webhook_deliveries_kind_idx ON webhook_deliveries (user_id, kind, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_deliveries_kind_idx, webhook_deliveries_status_idx');
  }
}
