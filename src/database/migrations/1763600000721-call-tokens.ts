import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Calls add up the tokens of their turns and their evaluation; null where no provider has told any. They are in the index from
 * which calls are summed up, as cost is.
 */
export class CallTokens1763600000721 implements MigrationInterface {
  readonly name = 'CallTokens1763600000721';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        ADD COLUMN input_tokens bigint, ADD COLUMN cached_input_tokens bigint, ADD COLUMN output_tokens bigint;
      DROP INDEX calls_user_id_idx;
      CREATE INDEX calls_user_id_idx ON calls (user_id, created_at, id) INCLUDE (
        status, assistant_id, campaign_id, duration_seconds, carrier_cost_micros, ai_cost_micros,
        input_tokens, cached_input_tokens, output_tokens);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_user_id_idx;
      CREATE INDEX calls_user_id_idx ON calls (user_id, created_at, id) INCLUDE (
        status, assistant_id, campaign_id, duration_seconds, carrier_cost_micros, ai_cost_micros);
      ALTER TABLE calls DROP COLUMN input_tokens, DROP COLUMN cached_input_tokens, DROP COLUMN output_tokens;
    `);
  }
}
