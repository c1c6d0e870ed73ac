import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { DocumentSource } from '../documents/document-source.entity.js';
import { Document } from '../documents/document.entity.js';
import { storedParts, type UnreadPart } from '../unread.js';

/** How many followed links are tried for each page that may be read. */
const TRIES_PER_LINK = 3;
/** More tries, because the first page of a small site can name one other page under many addresses. */
const MORE_TRIES = 20;

/** What a run works on. */
export type Reading = Pick<
  Document,
  'id' | 'userId' | 'knowledgebaseId' | 'type' | 'version' | 'status' | 'attempts' | 'linksLimit'
>;

export interface ReadingResult {
  readonly chunks: number;
  readonly languages: string[];
  /** In the order of reading. */
  readonly sources: readonly SourceOutcome[];
}

/** What became of a source, as far as the user is to know it. */
export type SourceOutcome = Pick<DocumentSource, 'url' | 'isGiven' | 'state' | 'failure' | 'unread'>;

/** Documents and sources as their ingestion sees them. Jobs come with an id alone, so rows name their own account. */
@Injectable()
export class IngestionRepository {
  constructor(private readonly database: Database) {}

  /** Null when the document was deleted. */
  accountOf(documentId: number): Promise<number | null> {
    return this.database.value<number>('SELECT user_id AS "userId" FROM documents WHERE id = $1', [
      documentId,
    ]);
  }

  /** Counts a run and returns what there is to do it on. */
  begin(documentId: number): Promise<Reading | null> {
    return this.database.first<Reading>(
      `UPDATE documents SET attempts = least(attempts + 1, 1000), touched_at = now()
        WHERE id = $1 AND status <> 'failed'
        RETURNING id, user_id AS "userId", knowledgebase_id AS "knowledgebaseId", type, version, status, attempts,
                  links_limit AS "linksLimit"`,
      [documentId],
    );
  }

  /** Whether the reading is still wanted; if so, it is locked until the transaction ends. */
  async lock({ id, knowledgebaseId, version, status }: Reading, tx: Tx): Promise<boolean> {
    // The base before the document, as its deletion does: chunks refer to both.
    await this.database.query(
      'SELECT id FROM knowledgebases WHERE id = $1 FOR KEY SHARE',
      [knowledgebaseId],
      tx,
    );
    return this.database.matches(
      'SELECT id FROM documents WHERE id = $1 AND version = $2 AND status = $3 FOR UPDATE',
      [id, version, status],
      tx,
    );
  }

  /** The next source to read: those the user named, then followed links as far as the document wants more of them. */
  async nextSource({ id, version, linksLimit }: Reading): Promise<DocumentSource | null> {
    const manager = this.database.manager();
    const pending = { documentId: id, version, state: 'pending' as const };
    const order = { position: 'ASC' as const };
    const given = await manager.findOne(DocumentSource, { where: { ...pending, isGiven: true }, order });
    if (given || linksLimit === 0) return given;
    const [followed] = await this.database.query<{ done: number; tried: number }>(
      `SELECT count(*) FILTER (WHERE state = 'done')::integer AS done,
              count(*) FILTER (WHERE state <> 'pending')::integer AS tried
         FROM document_sources WHERE document_id = $1 AND version = $2 AND NOT is_given`,
      [id, version],
    );
    const isEnough = followed && (followed.done >= linksLimit || followed.tried >= triesFor(linksLimit));
    return isEnough ? null : manager.findOne(DocumentSource, { where: pending, order });
  }

  isPending(sourceId: number, tx: Tx): Promise<boolean> {
    return this.database.matches(
      "SELECT id FROM document_sources WHERE id = $1 AND state = 'pending' FOR UPDATE",
      [sourceId],
      tx,
    );
  }

  /** The source that was read as the page of this address. */
  findByCanonicalUrl(
    { documentId, version, id }: DocumentSource,
    canonicalUrl: string,
    tx: Tx,
  ): Promise<number | null> {
    return this.database.value<number>(
      `SELECT id FROM document_sources
        WHERE document_id = $1 AND version = $2 AND id <> $3 AND state = 'done' AND md5(canonical_url) = md5($4)`,
      [documentId, version, id, canonicalUrl],
      tx,
    );
  }

  async endSource(
    source: DocumentSource,
    end: Pick<DocumentSource, 'state'> &
      Partial<Pick<DocumentSource, 'title' | 'canonicalUrl' | 'failure' | 'unread'>>,
    tx: Tx,
  ): Promise<void> {
    await this.database.manager(tx).save(Object.assign(source, end));
  }

  /** Remembers pages to follow, each once, and not many more than will be read. */
  async addLinks(
    { id, userId, version, linksLimit }: Reading,
    urls: readonly string[],
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO document_sources (user_id, document_id, version, position, url, is_given)
       SELECT $1, $2, $3, s.next + link.ordinality, link.url, false
         FROM (SELECT max(position) AS next, count(*) FILTER (WHERE NOT is_given) AS followed
                 FROM document_sources WHERE document_id = $2 AND version = $3) s,
              unnest($4::text[]) WITH ORDINALITY AS link (url, ordinality)
        WHERE s.followed + link.ordinality <= $5
       ON CONFLICT DO NOTHING`,
      [userId, id, version, urls, triesFor(linksLimit)],
      tx,
    );
  }

  /** A step is done: others follow, so that runs are counted anew. */
  async progressTo(documentId: number, percent: number, tx?: Tx): Promise<void> {
    await this.database.query(
      `UPDATE documents SET progress_percent = greatest(progress_percent, $2), attempts = 0, touched_at = now()
        WHERE id = $1`,
      [documentId, percent],
      tx,
    );
  }

  async sourceCounts({ id, version }: Reading, tx: Tx): Promise<{ ended: number; total: number }> {
    const [counts] = await this.database.query<{ ended: number; total: number }>(
      `SELECT count(*) FILTER (WHERE state <> 'pending')::integer AS ended, count(*)::integer AS total
         FROM document_sources WHERE document_id = $1 AND version = $2`,
      [id, version],
      tx,
    );
    return counts ?? { ended: 0, total: 0 };
  }

  /** Sources and chunks of earlier readings go away. */
  async dropOtherVersions({ id, version }: Reading, tx: Tx): Promise<void> {
    await this.database.query(
      'DELETE FROM document_sources WHERE document_id = $1 AND version <> $2',
      [id, version],
      tx,
    );
  }

  async resultOf({ id, version }: Reading, tx: Tx): Promise<ReadingResult> {
    const [chunks] = await this.database.query<{ count: number; languages: string[] | null }>(
      `SELECT count(*)::integer AS count, array_agg(DISTINCT language) AS languages
         FROM document_chunks WHERE document_id = $1 AND version = $2`,
      [id, version],
      tx,
    );
    const sources = await this.database.query<SourceOutcome>(
      `SELECT url, is_given AS "isGiven", state, failure, unread FROM document_sources
        WHERE document_id = $1 AND version = $2 ORDER BY position`,
      [id, version],
      tx,
    );
    return { chunks: chunks?.count ?? 0, languages: chunks?.languages ?? [], sources };
  }

  async end(
    documentId: number,
    end: Pick<Document, 'status' | 'failure' | 'chunksCount' | 'languages' | 'embeddingSpace'> & {
      readonly unread: readonly UnreadPart[];
    },
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `UPDATE documents SET status = $2, failure = $3, chunks_count = $4, languages = $5, embedding_space = $6, unread = $7,
              words_version = version, progress_percent = 100, attempts = 0, touched_at = now(), updated_at = now()
        WHERE id = $1`,
      [
        documentId,
        end.status,
        end.failure && JSON.stringify(end.failure),
        end.chunksCount,
        end.languages,
        end.embeddingSpace,
        storedParts(end.unread),
      ],
      tx,
    );
  }

  /**
   * Documents with open work but no worker: unfinished ones, and those without vectors of the space. The oldest of each account
   * come first, so that none waits for all those of another account.
   */
  findForgotten(idleMs: number, embeddingSpace: string | null, limit: number): Promise<number[]> {
    return this.database.values<number>(
      `SELECT id FROM (
         SELECT id, touched_at, row_number() OVER (PARTITION BY user_id ORDER BY touched_at) AS turn FROM documents
          WHERE touched_at < now() - interval '30 seconds'
            AND (touched_at < now() - $1 * interval '1 millisecond' OR (attempts = 0 AND progress_percent = 0))
            AND (status = 'processing' OR (status = 'active' AND $2::text IS NOT NULL
                                           AND embedding_space IS DISTINCT FROM $2))) forgotten
        ORDER BY turn, touched_at LIMIT $3`,
      [idleMs, embeddingSpace, limit],
    );
  }
}

function triesFor(linksLimit: number): number {
  return linksLimit * TRIES_PER_LINK + MORE_TRIES;
}
