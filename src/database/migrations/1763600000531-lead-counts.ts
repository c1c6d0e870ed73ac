import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A statement's changes, summed up; what cancels out is not written. */
const recordChanges = (leads: string) => `
  INSERT INTO lead_count_changes (user_id, campaign_id, status, change)
  SELECT user_id, campaign_id, status, sum(change) FROM (${leads}) AS moved
  GROUP BY user_id, campaign_id, status HAVING sum(change) <> 0;`;

const body = (statement: string) => `LANGUAGE plpgsql AS $$ BEGIN ${statement} RETURN NULL; END $$`;

/**
 * How many leads each campaign has of each status, so that the total of a list costs the same at any size. Writers only
 * append to `lead_count_changes`, so that no two of them wait for one another; a reader adds the changes that are not
 * settled yet. The tables hold no foreign keys: when a campaign is deleted, the deletion of its leads is itself a change.
 */
export class LeadCounts1763600000531 implements MigrationInterface {
  readonly name = 'LeadCounts1763600000531';

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
    `);
    await this.createTriggers(runner);
    // The triggers keep writers out until this is done: nothing is missed, nothing counted twice.
    await runner.query(`
      INSERT INTO lead_counts (user_id, campaign_id, status, leads)
      SELECT user_id, campaign_id, status, count(*) FROM leads GROUP BY user_id, campaign_id, status;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER leads_counted_added ON leads;
      DROP TRIGGER leads_counted_moved ON leads;
      DROP TRIGGER leads_counted_removed ON leads;
      DROP TRIGGER leads_counted_truncated ON leads;
      DROP FUNCTION count_added_leads, count_moved_lead, count_removed_leads, forget_lead_counts;
      DROP TABLE lead_counts, lead_count_changes;
    `);
  }

  /** Row by row where a lead moves: most changes of a lead are none of its campaign or status, and shall cost nothing. */
  private async createTriggers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION count_added_leads() RETURNS trigger
        ${body(recordChanges('SELECT user_id, campaign_id, status, 1 AS change FROM added'))};
      CREATE TRIGGER leads_counted_added AFTER INSERT ON leads REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION count_added_leads();

      CREATE FUNCTION count_moved_lead() RETURNS trigger ${body(`
        INSERT INTO lead_count_changes (user_id, campaign_id, status, change)
        VALUES (old.user_id, old.campaign_id, old.status, -1), (new.user_id, new.campaign_id, new.status, 1);`)};
      CREATE TRIGGER leads_counted_moved AFTER UPDATE OF campaign_id, status ON leads FOR EACH ROW
        WHEN ((old.campaign_id, old.status) IS DISTINCT FROM (new.campaign_id, new.status))
        EXECUTE FUNCTION count_moved_lead();

      CREATE FUNCTION count_removed_leads() RETURNS trigger
        ${body(recordChanges('SELECT user_id, campaign_id, status, -1 AS change FROM removed'))};
      CREATE TRIGGER leads_counted_removed AFTER DELETE ON leads REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION count_removed_leads();

      CREATE FUNCTION forget_lead_counts() RETURNS trigger ${body('TRUNCATE lead_counts, lead_count_changes;')};
      CREATE TRIGGER leads_counted_truncated AFTER TRUNCATE ON leads
        FOR EACH STATEMENT EXECUTE FUNCTION forget_lead_counts();
    `);
  }
}
