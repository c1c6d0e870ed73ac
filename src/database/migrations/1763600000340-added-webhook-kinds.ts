import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Kinds of webhook events that modules and plugins add, named `name.event`. */
export class AddedWebhookKinds1763600000340 implements MigrationInterface {
  readonly name = 'AddedWebhookKinds1763600000340';

  async up(runner: QueryRunner): Promise<void> {
    // NOT VALID: the rows that are there satisfied the narrower check, so nothing has to be read under the lock.
    await runner.query(`
      ALTER TABLE webhook_deliveries
        DROP CONSTRAINT webhook_deliveries_kind_known,
        ADD CONSTRAINT webhook_deliveries_kind_known CHECK (
          kind IN ('post-call', 'inbound', 'conversation-ended', 'limit-reached')
          OR kind ~ '^[a-z0-9-]{1,40}[.][a-z0-9-]{1,40}$') NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries
        DROP CONSTRAINT webhook_deliveries_kind_known,
        ADD CONSTRAINT webhook_deliveries_kind_known CHECK (
          kind IN ('post-call', 'inbound', 'conversation-ended', 'limit-reached'))`);
  }
}
