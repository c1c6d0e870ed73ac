import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';
import { applyFunction } from '../functions/apply-functions.js';

/**
 * How many leads each campaign has of each status: writers append changes, which are settled later. The counts
 * have no foreign keys, because deleting a campaign deletes its leads. Rows that an import refused are kept as
 * they were in the file, so that they can be corrected and sent again.
 */
export class Leads1763600009021 extends ForwardMigration {
  readonly name = 'Leads1763600009021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE lead_count_changes (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT lead_count_changes_pkey PRIMARY KEY,
        user_id integer NOT NULL,
        campaign_id integer NOT NULL,
        status text NOT NULL,
        change integer NOT NULL
      );
      CREATE INDEX lead_count_changes_user_id_idx ON lead_count_changes (user_id, campaign_id);

      CREATE TABLE lead_counts (
        user_id integer NOT NULL,
        campaign_id integer NOT NULL,
        status text NOT NULL,
        leads integer NOT NULL,
        CONSTRAINT lead_counts_pkey PRIMARY KEY (user_id, campaign_id, status)
      );
      CREATE INDEX lead_counts_empty_idx ON lead_counts (user_id) WHERE leads = 0;

      ALTER TABLE lead_imports ADD COLUMN columns jsonb, ADD COLUMN variables jsonb;
      CREATE TABLE lead_refusals (
        import_id integer NOT NULL,
        line integer NOT NULL,
        user_id integer NOT NULL,
        fields jsonb NOT NULL,
        reason jsonb NOT NULL,
        phone_numbers text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT lead_refusals_pkey PRIMARY KEY (import_id, line),
        CONSTRAINT lead_refusals_import_fkey FOREIGN KEY (import_id) REFERENCES lead_imports (id) ON DELETE CASCADE
      );
      CREATE INDEX lead_refusals_user_id_idx ON lead_refusals (user_id);
      CREATE INDEX lead_refusals_created_at_idx ON lead_refusals (created_at);
      CREATE INDEX dial_attempts_to_phone_number_idx ON dial_attempts (user_id, to_phone_number, id);
    `);
    // The triggers lock the table until the rows are counted: no change is missed or counted twice.
    await applyFunction(runner, 'campaigns/count_added_leads');
    await applyFunction(runner, 'campaigns/count_moved_lead');
    await applyFunction(runner, 'campaigns/count_removed_leads');
    await applyFunction(runner, 'campaigns/forget_lead_counts');
    await runner.query(`
      INSERT INTO lead_counts (user_id, campaign_id, status, leads)
      SELECT user_id, campaign_id, status, count(*) FROM leads GROUP BY user_id, campaign_id, status;
    `);
  }
}
