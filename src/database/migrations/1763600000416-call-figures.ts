import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What calls are counted and summed up by is all in the index of lists, so that a month of calls is read from it alone. */
export class CallFigures1763600000416 implements MigrationInterface {
  readonly name = 'CallFigures1763600000416';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_user_id_idx;
      CREATE INDEX calls_user_id_idx ON calls (user_id, created_at, id) INCLUDE (
        status, assistant_id, campaign_id, duration_seconds, carrier_cost_micros, ai_cost_micros);
      CREATE INDEX calls_measured_idx ON calls (user_id, created_at, id) WHERE quality IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_measured_idx;
      DROP INDEX calls_user_id_idx;
      CREATE INDEX calls_user_id_idx ON calls (user_id, created_at, id);
    `);
  }
}
