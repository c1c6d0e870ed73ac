import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Finds the calls whose callers waited for a line. No release has written a wait before. */
export class WaitedCalls1764201000601 extends StatedMigration {
  readonly name = 'WaitedCalls1764201000601';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX calls_waited_idx ON calls (user_id, created_at)
        INCLUDE (assistant_phone_number, assistant_name, status, routing)
        WHERE type = 'inbound' AND routing ? 'waitedMs'
    `);
  }
}
