import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * Indexes that find recorded calls and calls whose retention ends. The index of lists holds all columns that calls
 * are counted and summed by. A month of calls is read from it alone.
 */
export class CallLists1763600009015 extends ForwardMigration {
  readonly name = 'CallLists1763600009015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX calls_recorded_idx ON calls (created_at) WHERE recording_key IS NOT NULL;
      CREATE INDEX calls_recorded_of_user_idx ON calls (user_id, created_at) WHERE recording_key IS NOT NULL;
      CREATE INDEX calls_kept_idx ON calls (user_id, created_at) WHERE erased_at IS NULL AND ended_at IS NOT NULL;
      CREATE INDEX calls_measured_idx ON calls (user_id, created_at, id) WHERE quality IS NOT NULL;
      DROP INDEX calls_user_id_idx;
      CREATE INDEX calls_user_id_idx ON calls (user_id, created_at, id) INCLUDE (
        status, assistant_id, campaign_id, duration_seconds, carrier_cost_micros, ai_cost_micros,
        input_tokens, cached_input_tokens, output_tokens);
    `);
  }
}
