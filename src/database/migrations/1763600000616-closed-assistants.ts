import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when strangers cannot reach an assistant any more, because its account is being deleted. */
export class ClosedAssistants1763600000616 implements MigrationInterface {
  readonly name = 'ClosedAssistants1763600000616';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE assistants ADD COLUMN closed_at timestamptz;');
    await runner.query(`
      UPDATE assistants SET closed_at = now(), revision = revision + 1
      WHERE user_id IN (SELECT user_id FROM account_deletions WHERE status = 'processing');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE assistants DROP COLUMN closed_at;');
  }
}
