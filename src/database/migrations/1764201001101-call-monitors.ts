import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** People listen to running calls: their tokens, who listens now, and what they did in each call. */
export class CallMonitors1764201001101 extends StatedMigration {
  readonly name = 'CallMonitors1764201001101';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE call_monitors (
        id uuid NOT NULL,
        call_id integer NOT NULL,
        caller jsonb NOT NULL,
        member_name text,
        token_hash bytea NOT NULL,
        redeemed_at timestamptz,
        valid_until timestamptz NOT NULL,
        CONSTRAINT call_monitors_pkey PRIMARY KEY (id));
      CREATE INDEX call_monitors_call_id_idx ON call_monitors (call_id);
      CREATE INDEX call_monitors_valid_until_idx ON call_monitors (valid_until);
      ALTER TABLE calls ADD COLUMN desk jsonb NOT NULL DEFAULT '[]';
    `);
  }
}
