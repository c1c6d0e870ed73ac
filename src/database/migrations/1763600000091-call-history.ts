import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls outlive their campaign and lead, whose names and numbers they keep; what they point to is never a stranger's. */
export class CallHistory1763600000091 implements MigrationInterface {
  readonly name = 'CallHistory1763600000091';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls ADD COLUMN dial_in_doubt boolean NOT NULL DEFAULT false;

      UPDATE calls SET campaign_id = NULL
      WHERE campaign_id IS NOT NULL AND NOT EXISTS (SELECT FROM campaigns WHERE id = calls.campaign_id);
      UPDATE calls SET lead_id = NULL
      WHERE lead_id IS NOT NULL AND NOT EXISTS (SELECT FROM leads WHERE id = calls.lead_id);

      CREATE INDEX calls_lead_id_idx ON calls (lead_id) WHERE lead_id IS NOT NULL;
      ALTER TABLE calls
        ADD CONSTRAINT calls_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns (id) ON DELETE SET NULL,
        ADD CONSTRAINT calls_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES leads (id) ON DELETE SET NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        DROP CONSTRAINT calls_lead_id_fkey,
        DROP CONSTRAINT calls_campaign_id_fkey,
        DROP COLUMN dial_in_doubt;
      DROP INDEX calls_lead_id_idx;
    `);
  }
}
