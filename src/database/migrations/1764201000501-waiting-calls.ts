import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Callers who wait for a line. No release has let them. */
export class WaitingCalls1764201000501 extends StatedMigration {
  readonly name = 'WaitingCalls1764201000501';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE number_routings ADD COLUMN queue jsonb;

      ALTER TABLE active_calls ADD COLUMN queue jsonb,
        ADD COLUMN queued_at timestamptz,
        ADD COLUMN waited_seconds integer NOT NULL DEFAULT 0;
      CREATE INDEX active_calls_queued_idx ON active_calls (user_id, queued_at, call_id)
        WHERE queued_at IS NOT NULL;
    `);
  }
}
