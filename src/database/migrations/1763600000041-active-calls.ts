import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a call needs beside its row until nothing more is to be done for it. */
export class ActiveCalls1763600000041 implements MigrationInterface {
  readonly name = 'ActiveCalls1763600000041';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE active_calls (
        call_id integer NOT NULL,
        user_id integer NOT NULL,
        stage text NOT NULL DEFAULT 'waiting',
        hold_id uuid,
        carrier text NOT NULL,
        carrier_call_id text,
        phone_number_id integer,
        -- Which of the platform's lines it has, so that starts find free ones without counting under a common lock.
        line integer,
        max_duration_seconds integer NOT NULL,
        ringing_seconds integer NOT NULL,
        -- At which its money was held: it is charged at them, whatever they become while it lasts.
        price_per_minute_micros integer,
        carrier_price_per_minute_micros integer,
        lease_token uuid,
        lease_until timestamptz,
        -- A stop marks the calls that are to end, in the transaction that stops; a job hangs them up.
        end_requested_at timestamptz,
        stage_since timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT active_calls_pkey PRIMARY KEY (call_id),
        CONSTRAINT active_calls_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE,
        CONSTRAINT active_calls_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES holds (id),
        CONSTRAINT active_calls_stage_known CHECK (stage IN ('waiting', 'placing', 'open', 'evaluating'))
      );
      CREATE UNIQUE INDEX active_calls_carrier_call_id_key ON active_calls (carrier, carrier_call_id)
        WHERE carrier_call_id IS NOT NULL;
      CREATE INDEX active_calls_user_id_idx ON active_calls (user_id);
      CREATE INDEX active_calls_hold_id_idx ON active_calls (hold_id);
      CREATE UNIQUE INDEX active_calls_line_key ON active_calls (line) WHERE line IS NOT NULL;
      CREATE INDEX active_calls_end_requested_idx ON active_calls (end_requested_at) WHERE end_requested_at IS NOT NULL;

      -- What was said, turn by turn, in a table that grows while the call goes on.
      CREATE TABLE call_turns (
        call_id integer NOT NULL,
        position integer NOT NULL,
        user_id integer NOT NULL,
        role text NOT NULL,
        text text NOT NULL,
        start_ms integer NOT NULL,
        end_ms integer NOT NULL,
        interrupted boolean NOT NULL,
        CONSTRAINT call_turns_pkey PRIMARY KEY (call_id, position),
        CONSTRAINT call_turns_role_known CHECK (role IN ('assistant', 'customer')),
        CONSTRAINT call_turns_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      );

      -- Calls from a browser: the token by which the browser of a call connects.
      CREATE TABLE web_calls (
        call_id integer PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
        assistant_id integer NOT NULL,
        token_hash bytea NOT NULL,
        visitor text,
        expires_at timestamptz NOT NULL,
        redeemed_at timestamptz
      );
      CREATE INDEX web_calls_assistant_id_idx ON web_calls (assistant_id) WHERE visitor IS NOT NULL;

      -- Whether a carrier takes calls, for all processes: what was not sent because it did not is no attempt of a lead.
      CREATE TABLE carrier_breakers (
        carrier text NOT NULL CONSTRAINT carrier_breakers_pkey PRIMARY KEY,
        failures integer NOT NULL DEFAULT 0,
        failed_probes integer NOT NULL DEFAULT 0,
        reason text,
        opened_at timestamptz,
        retry_at timestamptz,
        CONSTRAINT carrier_breakers_reason_known CHECK (reason IN ('unavailable', 'rate-limited')),
        CONSTRAINT carrier_breakers_open_with_reason CHECK (
          (opened_at IS NULL) = (retry_at IS NULL) AND (opened_at IS NULL OR reason IS NOT NULL))
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE carrier_breakers, web_calls, call_turns, active_calls;
    `);
  }
}
