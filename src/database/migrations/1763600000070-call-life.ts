import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a call needs beside its row until nothing more is to be done for it. */
export class CallLife1763600000070 implements MigrationInterface {
  readonly name = 'CallLife1763600000070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls ADD COLUMN input_variables jsonb NOT NULL DEFAULT '{}';

      CREATE TABLE active_calls (
        call_id integer NOT NULL,
        user_id integer NOT NULL,
        stage text NOT NULL DEFAULT 'waiting',
        hold_id uuid,
        carrier_call_id text,
        max_duration_seconds integer NOT NULL,
        ringing_seconds integer NOT NULL,
        turns jsonb NOT NULL DEFAULT '[]',
        lease_token uuid,
        lease_until timestamptz,
        stage_since timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT active_calls_pkey PRIMARY KEY (call_id),
        CONSTRAINT active_calls_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE,
        CONSTRAINT active_calls_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES holds (id),
        CONSTRAINT active_calls_stage_known CHECK (stage IN ('waiting', 'placing', 'open', 'evaluating'))
      );
      CREATE UNIQUE INDEX active_calls_carrier_call_id_key ON active_calls (carrier_call_id)
        WHERE carrier_call_id IS NOT NULL;
      CREATE INDEX active_calls_user_id_idx ON active_calls (user_id);
      CREATE INDEX active_calls_hold_id_idx ON active_calls (hold_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE active_calls;
      ALTER TABLE calls DROP COLUMN input_variables;
    `);
  }
}
