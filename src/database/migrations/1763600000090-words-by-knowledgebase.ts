import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Words are indexed together with the base they stand in, so that a search reads the entries of its own base alone,
 * however many others there are. Reading does not wait for entries that were put aside by writers (`fastupdate`).
 */
export class WordsByKnowledgebase1763600000090 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Puts "<base> " before each word of the vector; its text form has every word in quotes, those within doubled.
      CREATE FUNCTION words_of_knowledgebase(knowledgebase_id integer, words tsvector) RETURNS tsvector
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        AS $$ SELECT regexp_replace(words::text, '''((?:[^'']|'''')+)''', '''' || knowledgebase_id || ' \\1''', 'g')::tsvector $$;

      DROP INDEX document_chunks_search_idx;
      UPDATE document_chunks SET search = words_of_knowledgebase(knowledgebase_id, search);
      CREATE INDEX document_chunks_search_idx ON document_chunks USING gin (search) WITH (fastupdate = off);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX document_chunks_search_idx;
      UPDATE document_chunks
         SET search = regexp_replace(search::text, '''\\d+ ((?:[^'']|'''')+)''', '''\\1''', 'g')::tsvector;
      CREATE INDEX document_chunks_search_idx ON document_chunks USING gin (search);
      DROP FUNCTION words_of_knowledgebase;
    `);
  }
}
