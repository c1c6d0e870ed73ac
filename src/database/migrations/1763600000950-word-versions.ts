import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The reading of a document whose words are indexed as this version does it. Documents that an older process reads
 * during an upgrade get another number, so that the sweep finds them. The index is on documents, of which there are few, and empty in the end.
 */
export class WordVersions1763600000950 implements MigrationInterface {
  readonly name = 'WordVersions1763600000950';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD COLUMN words_version integer;
      CREATE INDEX documents_outdated_words_idx ON documents (id)
        WHERE status = 'active' AND words_version IS DISTINCT FROM version;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX documents_outdated_words_idx;
      ALTER TABLE documents DROP COLUMN words_version;
    `);
  }
}
