import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';

export interface PassageRow {
  readonly id: string;
  readonly heading: string;
  readonly content: string;
  readonly tokens: number;
  readonly page: number | null;
  readonly documentId: number;
  readonly documentName: string;
  readonly url: string | null;
}

/** Words of a query that are looked up, the longest first. */
const MAX_WORDS = 40;
/** Those of them that decide, the rarest first. */
const MAX_TERMS = 24;
/** Passages of a word are counted up to here; a word that more of them have is a frequent one. */
const FREQUENT = 2_000;
/** Once the rarer words of a query are found this often, passages that have only its frequent words are left out. */
const ENOUGH_CANDIDATES = 1_500;
/** Passages with the most telling words, among which places and lengths decide. */
const SHORT_LIST = 200;

const FIND_BY_WORDS = `
  WITH active AS MATERIALIZED (
    SELECT id, version, languages, chunks_count FROM documents
     WHERE user_id = $1 AND knowledgebase_id = $2::integer AND status = 'active'
  ),
  size AS MATERIALIZED (SELECT sum(chunks_count)::float8 AS passages FROM active),
  -- As words_of_knowledgebase() has stored them, quoted for a query.
  words AS (
    SELECT l.language, w.lexeme,
           ('''' || $2::integer || ' ' || replace(replace(w.lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery AS query
      FROM (SELECT DISTINCT unnest(languages) AS language FROM active) l,
           unnest(to_tsvector(l.language::regconfig, $3)) AS w
     ORDER BY length(w.lexeme) DESC, w.lexeme, l.language LIMIT ${MAX_WORDS}
  ),
  matches AS MATERIALIZED (
    SELECT w.language, w.lexeme, w.query, f.ids, cardinality(f.ids)::float8 AS found
      FROM words w,
           LATERAL (SELECT array_agg(m.id) AS ids
                      FROM (SELECT c.id FROM document_chunks c
                             WHERE c.search @@ w.query AND c.language = w.language LIMIT ${FREQUENT}) m) f
     WHERE f.ids IS NOT NULL
  ),
  terms AS MATERIALIZED (
    SELECT t.language, t.query, t.ids, sum(t.found) OVER rarest - t.found AS found_before,
           ln(1 + greatest(s.passages - n.passages, 0) / (n.passages + 0.5)) AS weight
      FROM matches t, size s,
           LATERAL (SELECT CASE WHEN t.found < ${FREQUENT} THEN t.found
                                ELSE greatest(t.found, s.passages / 2) END AS passages) n
    WINDOW rarest AS (ORDER BY t.found, t.language, t.lexeme)
     ORDER BY t.found, t.language, t.lexeme LIMIT ${MAX_TERMS}
  ),
  short_list AS MATERIALIZED (
    SELECT m.id, sum(t.weight) AS weight
      FROM terms t, unnest(t.ids) AS m (id)
     WHERE t.found_before < ${ENOUGH_CANDIDATES}
     GROUP BY m.id ORDER BY 2 DESC, m.id LIMIT ${SHORT_LIST}
  ),
  -- Stored words are unpacked once here, and not again for each term.
  unpacked AS MATERIALIZED (
    SELECT c.id, c.language, c.search || ''::tsvector AS search
      FROM short_list JOIN document_chunks c USING (id)
      JOIN active d ON d.id = c.document_id AND d.version = c.version
  )
  SELECT u.id FROM unpacked u JOIN terms t ON t.language = u.language
   GROUP BY u.id
   ORDER BY sum(t.weight * ts_rank('{0.1, 0.2, 0.5, 0.8}', u.search, t.query, 1)) DESC, u.id
   LIMIT $4`;

const FIND_MANY = `
  SELECT c.id, c.heading, c.content, c.tokens, c.page, d.id AS "documentId", d.name AS "documentName", s.url
    FROM document_chunks c
    JOIN documents d ON d.id = c.document_id
    JOIN document_sources s ON s.id = c.source_id
   WHERE c.user_id = $1 AND c.id = ANY ($2::bigint[])`;

/** Finds passages by their words. */
@Injectable()
export class PassagesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Ids of the passages that have words of the text, best first. Each passage is searched in its own language; a word
   * counts the more, the fewer passages of the base have it (as in BM25), and more in a heading than in the text.
   *
   * @param words as `searchableText` gives them
   */
  async findByWords(
    userId: number,
    knowledgebaseId: number,
    words: string,
    limit: number,
  ): Promise<string[]> {
    const parameters = [userId, knowledgebaseId, words, limit];
    const rows = await this.database.readPrepared<{ id: string }>(FIND_BY_WORDS, parameters);
    return rows.map(({ id }) => id);
  }

  findMany(userId: number, ids: readonly string[]): Promise<PassageRow[]> {
    return this.database.readPrepared<PassageRow>(FIND_MANY, [userId, ids]);
  }
}
