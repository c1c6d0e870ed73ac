import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/** How many calls a second all processes together start for an account, over a SIP trunk and at a carrier. */
export class CallRates1763600009018 extends ForwardMigration {
  readonly name = 'CallRates1763600009018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE carrier_paces (
        carrier text NOT NULL CONSTRAINT carrier_paces_pkey PRIMARY KEY,
        next_at timestamptz NOT NULL
      );

      CREATE TABLE account_paces (
        user_id integer NOT NULL CONSTRAINT account_paces_pkey PRIMARY KEY
          CONSTRAINT account_paces_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        next_at timestamptz NOT NULL,
        place_at timestamptz NOT NULL,
        step_ms double precision NOT NULL
      );

      CREATE TABLE trunk_paces (
        trunk_id integer NOT NULL CONSTRAINT trunk_paces_pkey PRIMARY KEY
          CONSTRAINT trunk_paces_trunk_id_fkey REFERENCES sip_trunks (id) ON DELETE CASCADE,
        user_id integer NOT NULL,
        next_at timestamptz NOT NULL,
        place_at timestamptz NOT NULL,
        step_ms double precision NOT NULL
      );
      CREATE INDEX trunk_paces_user_id_idx ON trunk_paces (user_id);
    `);
  }
}
