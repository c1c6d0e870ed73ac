import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** What a lookup of the caller has given to a call that has not begun, or to a conversation. */
export class CallerLookups1764201000001 extends StatedMigration {
  readonly name = 'CallerLookups1764201000001';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE active_calls ADD COLUMN initial_message text, ADD COLUMN lookup_variables jsonb',
    );
    await runner.query('ALTER TABLE conversations ADD COLUMN lookup_variables jsonb');
  }
}
