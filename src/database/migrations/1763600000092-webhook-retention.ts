import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WebhookRetention1763600000092 implements MigrationInterface {
  readonly name = 'WebhookRetention1763600000092';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX webhook_deliveries_finished_idx ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_deliveries_finished_idx');
  }
}
