import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Who answers the calls of a number, and how each call was routed. */
export class NumberRoutings1764201000101 extends StatedMigration {
  readonly name = 'NumberRoutings1764201000101';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE number_routings (
        phone_number_id integer NOT NULL,
        user_id integer NOT NULL,
        hours jsonb,
        closed jsonb NOT NULL,
        unavailable jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT number_routings_pkey PRIMARY KEY (phone_number_id),
        CONSTRAINT number_routings_phone_number_id_fkey
          FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE,
        CONSTRAINT number_routings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      );
      CREATE INDEX number_routings_user_id_idx ON number_routings (user_id);

      ALTER TABLE calls ADD COLUMN routing jsonb;
      ALTER TABLE active_calls ADD COLUMN without_line boolean NOT NULL DEFAULT false;
    `);
  }
}
