import { Injectable } from '@nestjs/common';
import { EgressClient } from '../../../common/egress/egress-client.js';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { Embeddings, nameOfSpace } from '../../../providers/embeddings/embeddings.js';
import { FileStorage } from '../../../providers/storage/file-storage.js';
import { ingestDocumentJob } from './ingest-document.job.js';
import { JobsService } from '../../../queues/jobs.service.js';
import type { DocumentSource } from '../documents/document-source.entity.js';
import { ExtractionProcess } from '../extraction/extraction-process.js';
import { type Failure, failure, UnreadableError } from '../failure.js';
import { KnowledgebasesRepository } from '../knowledgebases.repository.js';
import { ChunkEmbedderService } from './chunk-embedder.service.js';
import { isSamePage } from './same-page.js';
import { ChunksRepository } from './chunks.repository.js';
import { IngestionRepository, type Reading } from './ingestion.repository.js';
import { SiteVisit } from './site-visit.js';
import { type ReadSource, SourceReader } from './source-reader.js';
import { failureOf, unreadOf, unreadOfSource } from './unread-sources.js';

/** Runs without a single step done in between, after which a document is given up. */
const MAX_ATTEMPTS = 20;
/** Longer than any step takes. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;
const FORGOTTEN_BATCH = 100;
/** Part of the progress that reading is; the rest is embedding, where there is any. */
const READING_PERCENT = 70;

/**
 * Reads documents into passages. Each step is one transaction that looks whether it is still wanted and not yet done,
 * so that a run can end anywhere, be run again, or run twice at once, and the result is that of one undisturbed run.
 */
@Injectable()
export class IngestionService {
  constructor(
    private readonly readings: IngestionRepository,
    private readonly chunks: ChunksRepository,
    private readonly bases: KnowledgebasesRepository,
    private readonly embedder: ChunkEmbedderService,
    private readonly embeddings: Embeddings,
    private readonly storage: FileStorage,
    private readonly egress: EgressClient,
    private readonly transactions: Transactions,
    private readonly jobs: JobsService,
    private readonly logger: Logger,
  ) {}

  /** Does what is left to do on a document. @throws when a step failed that may succeed later */
  async ingest(documentId: number): Promise<void> {
    const reading = await this.readings.begin(documentId);
    if (!reading) return;
    if (reading.status === 'processing') {
      if (reading.attempts > MAX_ATTEMPTS) {
        await this.end(reading, { failure: failure('ingestion.gave_up'), embeddingSpace: null });
        return;
      }
      await this.readSources(reading);
    }
    await this.end(reading, { failure: null, embeddingSpace: await this.embedder.embed(reading) });
  }

  /** Wakes documents up whose job was lost, and those without vectors of the present model. Returns how many. */
  async wakeForgotten(): Promise<number> {
    const { space } = this.embeddings;
    const spaceName = space && nameOfSpace(space);
    const ids = await this.readings.findForgotten(FORGOTTEN_AFTER_MS, spaceName, FORGOTTEN_BATCH);
    for (const documentId of ids) {
      this.jobs.wake(ingestDocumentJob, { documentId }, { id: `document-${documentId}` });
    }
    return ids.length;
  }

  private async readSources(reading: Reading): Promise<void> {
    const reader = new SourceReader(this.storage, new SiteVisit(this.egress), new ExtractionProcess());
    try {
      for (
        let source = await this.readings.nextSource(reading);
        source !== null;
        source = await this.readings.nextSource(reading)
      ) {
        if (!(await this.readSource(reading, source, reader))) return;
      }
    } finally {
      await reader.close();
    }
  }

  /** False when the document is gone or done meanwhile. */
  private async readSource(reading: Reading, source: DocumentSource, reader: SourceReader): Promise<boolean> {
    const outcome = await this.readOrFailure(reading, source, reader);
    return this.transactions.run(async (tx) => {
      if (!(await this.readings.lock(reading, tx))) return false;
      if (!(await this.readings.isPending(source.id, tx))) return true;
      if ('failure' in outcome) {
        await this.readings.endSource(source, { state: 'failed', failure: outcome.failure }, tx);
      } else {
        await this.store(reading, source, outcome, tx);
      }
      const { ended, total } = await this.readings.sourceCounts(reading, tx);
      const percent = this.embeddings.space ? READING_PERCENT : 99;
      await this.readings.progressTo(reading.id, Math.floor((percent * ended) / total), tx);
      return true;
    });
  }

  private async store(reading: Reading, source: DocumentSource, read: ReadSource, tx: Tx): Promise<void> {
    const { title, passages, links } = read;
    const canonicalUrl = await this.placeOf(source, read, tx);
    const added = canonicalUrl === 'taken' ? [] : await this.chunks.withoutStored(reading, passages, tx);
    if (canonicalUrl === 'taken' || (added.length === 0 && passages.length > 0)) {
      await this.readings.endSource(source, { state: 'skipped' }, tx);
    } else {
      await this.chunks.replace(reading, source, added, tx);
      const unread = unreadOfSource(source, read);
      await this.readings.endSource(source, { state: 'done', title, canonicalUrl, unread }, tx);
    }
    if (reading.linksLimit > 0) await this.readings.addLinks(reading, links, tx);
  }

  /**
   * The address under which a page is kept: the one that it names, unless another page has it. `taken` when that other page
   * says the same; a page that the user named is read in any case.
   */
  private async placeOf(
    source: DocumentSource,
    { canonicalUrl, passages }: ReadSource,
    tx: Tx,
  ): Promise<string | null> {
    if (canonicalUrl === null) return null;
    const other = await this.readings.findByCanonicalUrl(source, canonicalUrl, tx);
    if (other === null) return canonicalUrl;
    if (source.isGiven) return null;
    const text = passages.map(({ content }) => content).join('\n');
    return isSamePage(text, await this.chunks.textOfSource(other, tx)) ? 'taken' : null;
  }

  /** Puts the result in place of what there was, and the base's status after it. */
  private async end(
    reading: Reading,
    { failure: given, embeddingSpace }: { failure: Failure | null; embeddingSpace: string | null },
  ): Promise<void> {
    const { id, userId, knowledgebaseId } = reading;
    await this.transactions.run(async (tx) => {
      const base = await this.bases.findLocked(userId, knowledgebaseId, tx);
      if (!base || !(await this.readings.lock(reading, tx))) return;
      await this.readings.dropOtherVersions(reading, tx);
      const result = await this.readings.resultOf(reading, tx);
      const isFound = given === null && result.chunks > 0;
      const reason = isFound ? null : (given ?? failureOf(result.sources) ?? failure('ingestion.empty'));
      const status = isFound ? 'active' : 'failed';
      const { chunks: chunksCount, languages } = result;
      const unread = isFound ? unreadOf(result.sources) : [];
      const end = { status, failure: reason, chunksCount, languages, embeddingSpace, unread } as const;
      await this.readings.end(id, end, tx);
      await this.bases.followDocuments(userId, knowledgebaseId, tx);
      this.logger.info('document ingested', { documentId: id, status, reason: reason?.key, chunksCount });
    });
  }

  private async readOrFailure(
    { id, type }: Reading,
    source: DocumentSource,
    reader: SourceReader,
  ): Promise<ReadSource | { readonly failure: Failure }> {
    try {
      const read = await reader.read(type, source);
      const isEmpty = read.passages.length === 0 && read.links.length === 0;
      return isEmpty ? { failure: read.unread[0]?.reason ?? failure('ingestion.empty') } : read;
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      const { key: reason } = error.failure;
      this.logger.info('a source cannot be read', {
        documentId: id,
        sourceId: source.id,
        reason,
        err: error,
      });
      return { failure: error.failure };
    }
  }
}
