import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallVoices1763600000961 implements MigrationInterface {
  readonly name = 'CallVoices1763600000961';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN voice jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN voice');
  }
}
