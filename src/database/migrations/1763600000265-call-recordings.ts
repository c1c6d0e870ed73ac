import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Recordings of calls: where they are stored, in place of an address that nobody could have written. The column of the
 * address stays, since a process of 0.2.0 that still serves beside this release reads it.
 */
export class CallRecordings1763600000265 implements MigrationInterface {
  readonly name = 'CallRecordings1763600000265';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls ADD COLUMN recording_key text,
        ADD COLUMN recording_bytes integer,
        ADD CONSTRAINT calls_recording_whole
          CHECK ((recording_key IS NULL) = (recording_bytes IS NULL) AND recording_bytes > 0);
      CREATE INDEX calls_recorded_idx ON calls (created_at) WHERE recording_key IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_recorded_idx;
      ALTER TABLE calls DROP CONSTRAINT calls_recording_whole, DROP COLUMN recording_key, DROP COLUMN recording_bytes;
    `);
  }
}
