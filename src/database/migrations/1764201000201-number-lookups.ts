import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Whom to ask about the callers of a number, and what came of the last questions. */
export class NumberLookups1764201000201 extends StatedMigration {
  readonly name = 'NumberLookups1764201000201';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE number_routings ADD COLUMN lookup_url text,
        ADD COLUMN lookup_timeout_ms integer NOT NULL DEFAULT 3000;

      CREATE TABLE number_lookups (
        phone_number_id integer NOT NULL,
        offer_id text NOT NULL,
        user_id integer NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        call_id integer,
        status text,
        http_status integer,
        ms integer,
        error text,
        CONSTRAINT number_lookups_pkey PRIMARY KEY (phone_number_id, offer_id),
        CONSTRAINT number_lookups_phone_number_id_fkey
          FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE,
        CONSTRAINT number_lookups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      );
      CREATE INDEX number_lookups_at_idx ON number_lookups (phone_number_id, at);
      CREATE INDEX number_lookups_user_id_idx ON number_lookups (user_id);
    `);
  }
}
