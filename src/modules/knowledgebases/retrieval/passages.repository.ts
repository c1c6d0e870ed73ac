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

/** A stemmed word of a question, in one of the languages of the base. */
export interface SearchedWord {
  readonly language: string;
  /** A `tsquery` of the base's id and the word. */
  readonly query: string;
}

export interface WeighedWord extends SearchedWord {
  readonly weight: number;
  /** Whether passages that have only this word are considered. */
  readonly gathers: boolean;
}

/** Words of a question that are looked up, the longest first. */
const MAX_WORDS = 40;
/** Passages of one word that are considered. */
const MAX_GATHERED = 2_000;
/** Passages with the most telling words, among which places and lengths decide. */
const SHORT_LIST = 200;

// As words_of_knowledgebase() has stored them, quoted for a query.
const FIND_WORDS = `
  SELECT l.language,
         '''' || $2::integer || ' ' || replace(replace(w.lexeme, '\\', '\\\\'), '''', '''''') || '''' AS query
    FROM (SELECT DISTINCT unnest(languages) AS language FROM documents
           WHERE user_id = $1 AND knowledgebase_id = $2::integer AND status = 'active') l,
         unnest(to_tsvector(l.language::regconfig, $3)) AS w
   ORDER BY length(w.lexeme) DESC, w.lexeme, l.language LIMIT ${MAX_WORDS}`;

const COUNT_PASSAGES = `
  SELECT n.passages
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (language, query, place),
         LATERAL (SELECT count(*)::integer AS passages
                    FROM (SELECT FROM document_chunks c
                           WHERE c.search @@ w.query::tsquery AND c.language = w.language LIMIT $3) m) n
   ORDER BY w.place`;

const FIND_BY_WORDS = `
  WITH words AS MATERIALIZED (
    SELECT w.language, w.query::tsquery AS query, w.weight, w.gathers
      FROM unnest($3::text[], $4::text[], $5::float8[], $6::boolean[]) AS w (language, query, weight, gathers)
  ),
  short_list AS MATERIALIZED (
    SELECT m.id, sum(w.weight) AS weight
      FROM words w,
           LATERAL (SELECT c.id FROM document_chunks c
                     WHERE c.search @@ w.query AND c.language = w.language LIMIT ${MAX_GATHERED}) m
     WHERE w.gathers
     GROUP BY m.id ORDER BY 2 DESC, m.id LIMIT ${SHORT_LIST}
  ),
  -- Stored words are unpacked once here, and not again for each word.
  unpacked AS MATERIALIZED (
    SELECT c.id, c.language, c.search || ''::tsvector AS search
      FROM short_list JOIN document_chunks c USING (id)
      JOIN documents d ON d.id = c.document_id AND d.version = c.version
     WHERE d.user_id = $1 AND d.knowledgebase_id = $2 AND d.status = 'active'
  )
  SELECT u.id FROM unpacked u JOIN words w ON w.language = u.language
   GROUP BY u.id
   ORDER BY sum(w.weight * ts_rank('{0.1, 0.2, 0.5, 0.8}', u.search, w.query, 1)) DESC, u.id
   LIMIT $7`;

const FIND_MANY = `
  SELECT c.id, c.heading, c.content, c.tokens, c.page, d.id AS "documentId", d.name AS "documentName", s.url
    FROM document_chunks c
    JOIN documents d ON d.id = c.document_id
    JOIN document_sources s ON s.id = c.source_id
   WHERE c.user_id = $1 AND c.id = ANY ($2::bigint[])`;

/** Passages and their words. */
@Injectable()
export class PassagesRepository {
  constructor(private readonly database: Database) {}

  /**
   * The words of a text, stemmed as each language of the base does it, without those that say nothing.
   *
   * @param text as `searchedText` gives it
   */
  findWords(userId: number, knowledgebaseId: number, text: string): Promise<SearchedWord[]> {
    return this.database.readPrepared<SearchedWord>(FIND_WORDS, [userId, knowledgebaseId, text]);
  }

  /** How many passages have each of the words, counted up to the limit. */
  async countPassages(words: readonly SearchedWord[], limit: number): Promise<number[]> {
    const rows = await this.database.readPrepared<{ passages: number }>(COUNT_PASSAGES, [
      words.map(({ language }) => language),
      words.map(({ query }) => query),
      limit,
    ]);
    return rows.map(({ passages }) => passages);
  }

  /** Ids of the passages that have words, best first; a word counts more in a heading than in the text. */
  async findByWords(
    userId: number,
    knowledgebaseId: number,
    words: readonly WeighedWord[],
    limit: number,
  ): Promise<string[]> {
    const rows = await this.database.readPrepared<{ id: string }>(FIND_BY_WORDS, [
      userId,
      knowledgebaseId,
      words.map(({ language }) => language),
      words.map(({ query }) => query),
      words.map(({ weight }) => weight),
      words.map(({ gathers }) => gathers),
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  findMany(userId: number, ids: readonly string[]): Promise<PassageRow[]> {
    return this.database.readPrepared<PassageRow>(FIND_MANY, [userId, ids]);
  }
}
