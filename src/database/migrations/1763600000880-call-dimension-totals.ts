import type { MigrationInterface, QueryRunner } from 'typeorm';

const DIMENSION_TOTALS = `
  SELECT user_id, dimension, value, period, starts_on, sum(calls) AS calls
  FROM counts CROSS JOIN LATERAL (VALUES
    ('status', status), ('type', type), ('assistant_id', assistant_id::text), ('campaign_id', campaign_id::text)
  ) AS values_of_cell (dimension, value)
  GROUP BY user_id, dimension, value, period, starts_on HAVING sum(calls) <> 0`;

const CELL = 'user_id, status, type, assistant_id, campaign_id, period, starts_on';

/** Adds the changes that a statement makes to `call_counts`. */
const add = (changes: string) => `LANGUAGE plpgsql AS $$ BEGIN
  WITH counts AS (${changes})
  INSERT INTO call_dimension_totals AS settled (user_id, dimension, value, period, starts_on, calls)
  ${DIMENSION_TOTALS}
  ON CONFLICT (user_id, dimension, value, period, starts_on) DO UPDATE SET calls = settled.calls + excluded.calls;
  RETURN NULL; END $$`;

const forget = (tables: string) => `
  CREATE OR REPLACE FUNCTION forget_call_counts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    TRUNCATE ${tables}; RETURN NULL; END $$;`;

/**
 * Totals of calls by one value of one filter. A list with one filter is numbered by them: adding up all combinations that have
 * the value grew with the product of assistants and campaigns. Triggers keep them, so that they are right also where a process
 * of an earlier release settles the counts.
 */
export class CallDimensionTotals1763600000880 implements MigrationInterface {
  readonly name = 'CallDimensionTotals1763600000880';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE call_dimension_totals (
        user_id integer NOT NULL,
        dimension text NOT NULL,
        value text NOT NULL,
        period text NOT NULL,
        starts_on date NOT NULL,
        calls integer NOT NULL,
        CONSTRAINT call_dimension_totals_pkey PRIMARY KEY (user_id, dimension, value, period, starts_on)
      );
      CREATE INDEX call_dimension_totals_empty_idx ON call_dimension_totals (user_id) WHERE calls = 0;

      CREATE FUNCTION add_call_counts() RETURNS trigger ${add(`SELECT ${CELL}, calls FROM added`)};
      CREATE TRIGGER call_counts_added AFTER INSERT ON call_counts REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION add_call_counts();
      CREATE FUNCTION change_call_counts() RETURNS trigger ${add(
        `SELECT ${CELL}, calls FROM added UNION ALL SELECT ${CELL}, -calls FROM removed`,
      )};
      CREATE TRIGGER call_counts_changed AFTER UPDATE ON call_counts
        REFERENCING OLD TABLE AS removed NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION change_call_counts();
      ${forget('call_totals, call_dimension_totals, call_counts, call_count_changes')}

      INSERT INTO call_dimension_totals (user_id, dimension, value, period, starts_on, calls)
      WITH counts AS (SELECT * FROM call_counts) ${DIMENSION_TOTALS};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${forget('call_totals, call_counts, call_count_changes')}
      DROP TRIGGER call_counts_changed ON call_counts;
      DROP TRIGGER call_counts_added ON call_counts;
      DROP FUNCTION change_call_counts();
      DROP FUNCTION add_call_counts();
      DROP TABLE call_dimension_totals;
    `);
  }
}
