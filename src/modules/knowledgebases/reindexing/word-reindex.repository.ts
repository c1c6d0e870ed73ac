import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { searchableText } from '../retrieval/searchable-text.js';

export interface OutdatedDocument {
  readonly id: number;
  readonly userId: number;
  readonly knowledgebaseId: number;
  readonly version: number;
}

export interface UnspacedChunk {
  readonly id: string;
  readonly heading: string;
  readonly content: string;
}

/** Indian scripts, whose marks were left out, and scripts without spaces, from Thai to the ideographs beyond 16 bits. */
const CHANGED_SCRIPTS =
  '[\\u0900-\\u0EFF\\u1000-\\u11FF\\u1780-\\u17FF\\u3040-\\u312F\\u3131-\\u318F\\u3400-\\u9FFF\\uA960-\\uA97F\\uAC00-\\uD7FF\\uF900-\\uFAFF\\uFF66-\\uFFDC\\U00020000-\\U0003FFFF]';

/** Stored words of passages, as an upgrade changes them. */
@Injectable()
export class WordReindexRepository {
  constructor(private readonly database: Database) {}

  findOutdated(limit: number): Promise<OutdatedDocument[]> {
    return this.database.query<OutdatedDocument>(
      `SELECT id, user_id AS "userId", knowledgebase_id AS "knowledgebaseId", version FROM documents
        WHERE status = 'active' AND words_version IS DISTINCT FROM version ORDER BY id LIMIT $1`,
      [limit],
    );
  }

  findUnspacedChunks(
    { id, version }: OutdatedDocument,
    afterId: string,
    limit: number,
  ): Promise<UnspacedChunk[]> {
    return this.database.query<UnspacedChunk>(
      `SELECT id, heading, content FROM document_chunks
        WHERE document_id = $1 AND version = $2 AND id > $3::bigint AND (heading ~ $5 OR content ~ $5)
        ORDER BY id LIMIT $4`,
      [id, version, afterId, limit, CHANGED_SCRIPTS],
    );
  }

  /** Passages that are gone by now are left out. */
  async saveWords({ knowledgebaseId }: OutdatedDocument, chunks: readonly UnspacedChunk[]): Promise<void> {
    if (chunks.length === 0) return;
    await this.database.query(
      `UPDATE document_chunks c
          SET search = words_of_knowledgebase($1, setweight(to_tsvector(c.language::regconfig, w.heading), 'A') ||
                                                  setweight(to_tsvector(c.language::regconfig, w.content), 'B'))
         FROM unnest($2::bigint[], $3::text[], $4::text[]) AS w (id, heading, content) WHERE c.id = w.id`,
      [
        knowledgebaseId,
        chunks.map(({ id }) => id),
        chunks.map(({ heading }) => searchableText(heading)),
        chunks.map(({ content }) => searchableText(content)),
      ],
    );
  }

  async markIndexed({ id, version }: OutdatedDocument, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE documents SET words_version = version WHERE id = $1 AND version = $2',
      [id, version],
      tx,
    );
  }
}
