import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Dialler1763600000080 implements MigrationInterface {
  readonly name = 'Dialler1763600000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE dial_attempts ADD COLUMN call_id integer;
      CREATE UNIQUE INDEX dial_attempts_call_id_key ON dial_attempts (call_id) WHERE call_id IS NOT NULL;
      -- Progress counts outcomes from the index alone.
      CREATE INDEX dial_attempts_outcome_idx ON dial_attempts (campaign_id, outcome, settled_at) WHERE state = 'settled';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX dial_attempts_outcome_idx;
      ALTER TABLE dial_attempts DROP COLUMN call_id;
    `);
  }
}
