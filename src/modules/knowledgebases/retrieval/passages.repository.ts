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

/** Words of a query that are looked at, the rarest first. */
const MAX_TERMS = 24;
/** Once the rarer words of a query are found this often, passages with none but its frequent words are left out. */
const ENOUGH_CANDIDATES = 1_500;

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
    const rows = await this.database.query<{ id: string }>(
      `WITH active AS MATERIALIZED (
         SELECT id, version, languages, chunks_count FROM documents
          WHERE user_id = $1 AND knowledgebase_id = $2 AND status = 'active'
       ),
       size AS (SELECT sum(chunks_count)::float8 AS chunks FROM active),
       words AS (
         SELECT l.language, w.lexeme,
                ('''' || replace(replace(w.lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery AS query
           FROM (SELECT DISTINCT unnest(languages) AS language FROM active) l,
                unnest(to_tsvector(l.language::regconfig, $3)) AS w
       ),
       terms AS MATERIALIZED (
         SELECT w.*, f.passages, sum(f.passages) OVER (ORDER BY f.passages, w.language, w.lexeme) - f.passages AS before
           FROM words w,
                LATERAL (SELECT count(*)::float8 AS passages FROM document_chunks c
                          WHERE c.knowledgebase_id = $2 AND c.language = w.language AND c.search @@ w.query) f
          WHERE f.passages > 0
          ORDER BY f.passages LIMIT $5
       ),
       candidates AS MATERIALIZED (
         SELECT DISTINCT c.id FROM terms t JOIN document_chunks c
             ON c.knowledgebase_id = $2 AND c.language = t.language AND c.search @@ t.query
          WHERE t.before < $6
       )
       SELECT c.id
         FROM candidates JOIN document_chunks c USING (id)
         JOIN active d ON d.id = c.document_id AND d.version = c.version
         JOIN terms t ON t.language = c.language AND c.search @@ t.query
        CROSS JOIN size
        GROUP BY c.id
        ORDER BY sum(ln(1 + (greatest(size.chunks - t.passages, 0) + 0.5) / (t.passages + 0.5))
                     * ts_rank('{0.1, 0.2, 0.5, 0.8}', c.search, t.query, 1)) DESC, c.id
        LIMIT $4`,
      [userId, knowledgebaseId, words, limit, MAX_TERMS, ENOUGH_CANDIDATES],
    );
    return rows.map(({ id }) => id);
  }

  async findMany(userId: number, ids: readonly string[]): Promise<PassageRow[]> {
    return this.database.query<PassageRow>(
      `SELECT c.id, c.heading, c.content, c.tokens, c.page, d.id AS "documentId", d.name AS "documentName", s.url
         FROM document_chunks c
         JOIN documents d ON d.id = c.document_id
         JOIN document_sources s ON s.id = c.source_id
        WHERE c.user_id = $1 AND c.id = ANY ($2::bigint[])`,
      [userId, ids],
    );
  }
}
