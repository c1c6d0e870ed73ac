import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gives the column back to databases that dropped it between 0.2.0 and this release. It goes with the next one. */
export class KeptRecordingUrl1763600000532 implements MigrationInterface {
  readonly name = 'KeptRecordingUrl1763600000532';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN IF NOT EXISTS recording_url text;');
  }

  /** What 0.2.0 has as well. */
  async down(): Promise<void> {}
}
