import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * The processes that carry the audio of calls, and which process has which call. Which assistant has a call after
 * a handoff, without foreign keys: what a deleted assistant has said keeps its name.
 */
export class ActiveCalls1763600009017 extends ForwardMigration {
  readonly name = 'ActiveCalls1763600009017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE voice_processes (
        id uuid PRIMARY KEY,
        address text NOT NULL,
        capacity integer NOT NULL CONSTRAINT voice_processes_capacity_positive CHECK (capacity > 0),
        load real NOT NULL,
        carriers text[] NOT NULL,
        draining boolean NOT NULL DEFAULT false,
        heartbeat_at timestamptz NOT NULL DEFAULT now(),
        starting boolean NOT NULL DEFAULT false
      );

      ALTER TABLE active_calls
        ADD COLUMN voice_process_id uuid,
        ADD COLUMN line_state text,
        ADD COLUMN speaker_id integer,
        ADD COLUMN handoffs smallint NOT NULL DEFAULT 0,
        ADD COLUMN second_leg_number_id integer,
        ADD COLUMN calls_per_second double precision,
        ADD CONSTRAINT active_calls_line_state_bounded CHECK (length(line_state) <= 32768);
      CREATE INDEX active_calls_voice_process_id_idx ON active_calls (voice_process_id)
        WHERE voice_process_id IS NOT NULL;
      ALTER TABLE call_turns ADD COLUMN assistant_id integer, ADD COLUMN assistant_name text;
    `);
  }
}
