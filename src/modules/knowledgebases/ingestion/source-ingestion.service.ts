import { Injectable } from '@nestjs/common';
import { EgressClient } from '../../../common/egress/egress-client.js';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { Embeddings } from '../../../providers/embeddings/embeddings.js';
import { FileStorage } from '../../../providers/storage/file-storage.js';
import type { DocumentSource } from '../documents/document-source.entity.js';
import { ExtractionProcess } from '../extraction/extraction-process.js';
import { type Failure, failure, UnreadableError } from '../failure.js';
import { ChunksRepository } from './chunks.repository.js';
import { IngestionRepository, type Reading } from './ingestion.repository.js';
import { isSamePage } from './same-page.js';
import { SiteVisit } from './site-visit.js';
import { type ReadSource, SourceReader } from './source-reader.js';
import { unreadOfSource } from './unread-sources.js';

/** Part of the progress that reading is; the rest is embedding, where there is any. */
const READING_PERCENT = 70;

/** Reads the sources of a document, which are files and pages, and stores their passages. */
@Injectable()
export class SourceIngestionService {
  constructor(
    private readonly readings: IngestionRepository,
    private readonly chunks: ChunksRepository,
    private readonly embeddings: Embeddings,
    private readonly storage: FileStorage,
    private readonly egress: EgressClient,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /**
   * Reads what is still to be read, each source in a transaction, and at least one.
   *
   * @param endMs of `performance.now()`; no source is begun afterwards
   * @returns false when there may be more to read
   * @throws when a source may be readable later
   */
  async ingestUntil(endMs: number, reading: Reading): Promise<boolean> {
    const reader = new SourceReader(this.storage, new SiteVisit(this.egress), new ExtractionProcess());
    try {
      for (
        let source = await this.readings.nextSource(reading);
        source !== null;
        source = await this.readings.nextSource(reading)
      ) {
        if (!(await this.ingest(reading, source, reader))) return true;
        if (performance.now() >= endMs) return false;
      }
      return true;
    } finally {
      await reader.close();
    }
  }

  /** False when the document was deleted or read by another run since. */
  private async ingest(reading: Reading, source: DocumentSource, reader: SourceReader): Promise<boolean> {
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
   * The address under which a page is stored: the one that it names, unless another page has it. `taken` when that other page
   * says the same. A page that the user named is read in any case.
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
