import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What of a document, and of one of its sources, could not be read while the rest was. */
export class UnreadParts1763600000940 implements MigrationInterface {
  readonly name = 'UnreadParts1763600000940';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD COLUMN unread jsonb;
      ALTER TABLE document_sources ADD COLUMN unread jsonb;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_sources DROP COLUMN unread;
      ALTER TABLE documents DROP COLUMN unread;
    `);
  }
}
