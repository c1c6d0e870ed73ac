import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * Where the recording of a call is stored, what the call used, how it was answered and why it ended. Processes of
 * 0.2.0 read the column `recording_url`.
 */
export class Calls1763600009014 extends ForwardMigration {
  readonly name = 'Calls1763600009014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        ADD COLUMN recording_key text,
        ADD COLUMN recording_bytes integer,
        ADD COLUMN erased_at timestamptz,
        ADD COLUMN input_tokens bigint,
        ADD COLUMN cached_input_tokens bigint,
        ADD COLUMN output_tokens bigint,
        ADD COLUMN gatekeeper text,
        ADD COLUMN voice jsonb,
        ADD COLUMN end_reason text,
        ADD COLUMN function_calls jsonb NOT NULL DEFAULT '[]',
        ADD CONSTRAINT calls_recording_whole
          CHECK ((recording_key IS NULL) = (recording_bytes IS NULL) AND recording_bytes > 0),
        ADD CONSTRAINT calls_gatekeeper_known CHECK (gatekeeper IN ('menu', 'screening')),
        ADD CONSTRAINT calls_end_reason_known CHECK (end_reason IN ('customer', 'assistant', 'silence', 'max_duration',
          'max_hold', 'transfer', 'stopped', 'line_lost', 'failed'));
    `);
  }
}
