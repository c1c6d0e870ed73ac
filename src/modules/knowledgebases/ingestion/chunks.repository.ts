import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { DocumentSource } from '../documents/document-source.entity.js';
import type { Passage } from '../extraction/extraction.js';
import { searchableText } from '../retrieval/searchable-text.js';
import type { Reading } from './ingestion.repository.js';

const INSERT_BATCH = 200;
const COMPARED_CHUNKS = 50;

export interface UnembeddedChunk {
  readonly id: string;
  readonly text: string;
}

@Injectable()
export class ChunksRepository {
  constructor(private readonly database: Database) {}

  /** Stores the passages of a source, in the place of what there was of it. */
  async replace(
    { userId, knowledgebaseId, id, version }: Reading,
    source: DocumentSource,
    passages: readonly Passage[],
    tx: Tx,
  ): Promise<void> {
    await this.database.query('DELETE FROM document_chunks WHERE source_id = $1', [source.id], tx);
    for (let start = 0; start < passages.length; start += INSERT_BATCH) {
      const batch = passages.slice(start, start + INSERT_BATCH);
      const headings = batch.map((passage) => headingOf(passage));
      await this.database.query(
        `INSERT INTO document_chunks (user_id, knowledgebase_id, document_id, source_id, version, position,
                                      heading, content, page, tokens, language, search)
         SELECT $1, $2, $3, $4, $5, $6 + p.ordinality - 1, p.heading, p.content, p.page, p.tokens, p.language,
                words_of_knowledgebase($2, setweight(to_tsvector(p.language::regconfig, p.heading_words), 'A') ||
                                           setweight(to_tsvector(p.language::regconfig, p.content_words), 'B'))
           FROM unnest($7::text[], $8::text[], $9::integer[], $10::integer[], $11::text[], $12::text[], $13::text[])
                WITH ORDINALITY AS p (heading, content, page, tokens, language, heading_words, content_words, ordinality)`,
        [
          userId,
          knowledgebaseId,
          id,
          source.id,
          version,
          start,
          headings,
          batch.map(({ content }) => content),
          batch.map(({ page }) => page),
          batch.map(({ tokens }) => tokens),
          batch.map(({ language }) => language),
          headings.map((heading) => searchableText(heading)),
          batch.map(({ content }) => searchableText(content)),
        ],
        tx,
      );
    }
  }

  /** Passages that no source of the reading has yet: a site says some things on each of its pages. */
  async withoutStored({ id, version }: Reading, passages: readonly Passage[], tx: Tx): Promise<Passage[]> {
    const keys = passages.map((passage) => keyOf(passage));
    const stored = await this.database.query<{ key: string }>(
      `SELECT DISTINCT md5(heading || E'\\n' || content) AS key FROM document_chunks
        WHERE document_id = $1 AND version = $2 AND md5(heading || E'\\n' || content) = ANY($3::text[])`,
      [id, version, keys],
      tx,
    );
    const known = new Set(stored.map(({ key }) => key));
    return passages.filter((_, index) => {
      const key = keys[index] ?? '';
      const isNew = !known.has(key);
      known.add(key);
      return isNew;
    });
  }

  /** What a source says, as far as a comparison needs it. */
  async textOfSource(sourceId: number, tx: Tx): Promise<string> {
    const rows = await this.database.query<{ content: string }>(
      'SELECT content FROM document_chunks WHERE source_id = $1 ORDER BY position LIMIT $2',
      [sourceId, COMPARED_CHUNKS],
      tx,
    );
    return rows.map(({ content }) => content).join('\n');
  }

  /** Chunks of the reading that have no vector in the space yet. */
  unembedded({ id, version }: Reading, space: string, limit: number): Promise<UnembeddedChunk[]> {
    return this.database.query<UnembeddedChunk>(
      `SELECT id, heading || E'\\n' || content AS text FROM document_chunks
        WHERE document_id = $1 AND version = $2 AND embedding_space IS DISTINCT FROM $3
        ORDER BY id LIMIT $4`,
      [id, version, space, limit],
    );
  }

  /** The share of the reading's chunks that have a vector in the space, 0 to 1. */
  async embeddedShare({ id, version }: Reading, space: string): Promise<number> {
    const [row] = await this.database.query<{ share: number | null }>(
      `SELECT (count(*) FILTER (WHERE embedding_space = $3))::float8 / nullif(count(*), 0) AS share
         FROM document_chunks WHERE document_id = $1 AND version = $2`,
      [id, version, space],
    );
    return row?.share ?? 1;
  }

  async saveEmbeddings(
    chunks: readonly UnembeddedChunk[],
    vectors: readonly (readonly number[])[],
    space: string,
  ): Promise<void> {
    await this.database.query(
      `UPDATE document_chunks c SET embedding = v.embedding::real[], embedding_space = $3
         FROM unnest($1::bigint[], $2::text[]) AS v (id, embedding) WHERE c.id = v.id`,
      [chunks.map(({ id }) => id), vectors.map((vector) => `{${vector.join(',')}}`), space],
    );
  }
}

function headingOf({ headings }: Passage): string {
  return headings.join(' › ');
}

function keyOf(passage: Passage): string {
  return createHash('md5')
    .update(`${headingOf(passage)}\n${passage.content}`)
    .digest('hex');
}
