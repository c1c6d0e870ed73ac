import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * Parts of a document that could not be read, and the reading whose words are indexed as this version does it. A
 * document that an older process reads gets another version, so that the sweep finds it. The index holds few rows.
 */
export class Documents1763600009023 extends ForwardMigration {
  readonly name = 'Documents1763600009023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD COLUMN unread jsonb, ADD COLUMN words_version integer;
      ALTER TABLE document_sources ADD COLUMN unread jsonb;
      CREATE INDEX documents_outdated_words_idx ON documents (id)
        WHERE status = 'active' AND words_version IS DISTINCT FROM version;
    `);
  }
}
