import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Processes of 0.2.0 enter themselves when they take calls: theirs is the default. */
export class StartingVoice1763600000962 implements MigrationInterface {
  readonly name = 'StartingVoice1763600000962';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE voice_processes ADD COLUMN starting boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE voice_processes DROP COLUMN starting');
  }
}
