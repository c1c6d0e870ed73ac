import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';
import { applyFunction } from '../functions/apply-functions.js';

/**
 * Totals of calls by one value of one filter, from which a list with one filter reads its total. Adding up all
 * combinations with the value grew with the product of assistants and campaigns.
 */
export class CallTotals1763600009016 extends ForwardMigration {
  readonly name = 'CallTotals1763600009016';

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
    `);
    // The triggers lock the table until the rows are counted: no change is missed or counted twice.
    await applyFunction(runner, 'calls/add_call_counts');
    await applyFunction(runner, 'calls/change_call_counts');
    await runner.query(`
      INSERT INTO call_dimension_totals (user_id, dimension, value, period, starts_on, calls)
      SELECT user_id, dimension, value, period, starts_on, sum(calls)
      FROM call_counts CROSS JOIN LATERAL (VALUES
        ('status', status), ('type', type), ('assistant_id', assistant_id::text), ('campaign_id', campaign_id::text)
      ) AS values_of_cell (dimension, value)
      GROUP BY user_id, dimension, value, period, starts_on HAVING sum(calls) <> 0;
    `);
  }
}
