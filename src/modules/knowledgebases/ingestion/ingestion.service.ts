import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { Embeddings, nameOfSpace } from '../../../providers/embeddings/embeddings.js';
import { AccountTurns } from './account-turns.js';
import { ingestDocumentJob, MAX_READINGS_OF_ACCOUNT } from './ingest-document.job.js';
import { JobsService } from '../../../queues/jobs.service.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { PayloadOf } from '../../../queues/job-definition.js';
import { type Failure, failure } from '../failure.js';
import { KnowledgebasesRepository } from '../knowledgebases.repository.js';
import { sweepDocumentsJob } from '../documents/sweep-documents.job.js';
import { ChunkEmbedderService } from './chunk-embedder.service.js';
import { IngestionRepository, type Reading } from './ingestion.repository.js';
import { SourceIngestionService } from './source-ingestion.service.js';
import { failureOf, unreadOf } from './unread-sources.js';

/** After this number of runs without a completed step, the document has failed. */
const MAX_ATTEMPTS = 20;
/** Longer than any step takes. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;
const FORGOTTEN_BATCH = 100;
/** After so long, and the source that is read then, the next document has its turn. */
const TURN_MS = 10_000;

/**
 * Reads documents into passages. Each step is one transaction that checks whether the step is still needed. A run can
 * therefore end anywhere, be repeated, or run twice at once, with the result of one complete run.
 */
@Injectable()
export class IngestionService implements OnModuleDestroy {
  private readonly turns = new AccountTurns(MAX_READINGS_OF_ACCOUNT);

  constructor(
    private readonly readings: IngestionRepository,
    private readonly sources: SourceIngestionService,
    private readonly bases: KnowledgebasesRepository,
    private readonly embedder: ChunkEmbedderService,
    private readonly embeddings: Embeddings,
    private readonly transactions: Transactions,
    private readonly jobs: JobsService,
    private readonly logger: Logger,
  ) {}

  /** Documents that wait here go back to the queue, for other processes. */
  onModuleDestroy(): void {
    for (const documentId of this.turns.waitingIds) this.jobs.wake(ingestDocumentJob, { documentId });
  }

  /**
   * Gives a document a turn, unless its account has as many as it may have here: it waits for the end of one of those then.
   * What is left after the turn comes after the documents of other accounts.
   *
   * @throws when a step failed that may succeed later
   */
  @Handles(ingestDocumentJob)
  async ingest({ documentId }: PayloadOf<typeof ingestDocumentJob>): Promise<void> {
    const userId = await this.readings.accountOf(documentId);
    if (userId === null || !this.turns.begin(userId, documentId)) return;
    try {
      if (await this.takeTurn(documentId)) return;
      this.jobs.wake(ingestDocumentJob, { documentId });
    } finally {
      const next = this.turns.end(userId, documentId);
      if (next !== null) this.jobs.wake(ingestDocumentJob, { documentId: next });
    }
  }

  /** False when there is more to read. */
  private async takeTurn(documentId: number): Promise<boolean> {
    const endMs = performance.now() + TURN_MS;
    const reading = await this.readings.begin(documentId);
    if (!reading) return true;
    if (reading.status === 'processing') {
      if (reading.attempts > MAX_ATTEMPTS) {
        await this.end(reading, { failure: failure('ingestion.gave_up'), embeddingSpace: null });
        return true;
      }
      if (!(await this.sources.ingestUntil(endMs, reading))) return false;
    }
    await this.end(reading, { failure: null, embeddingSpace: await this.embedder.embed(reading) });
    return true;
  }

  /** Enqueues documents whose job was lost, and those without vectors of the current model. Returns how many. */
  @Handles(sweepDocumentsJob)
  async wakeForgotten(): Promise<number> {
    const { space } = this.embeddings;
    const spaceName = space && nameOfSpace(space);
    const ids = await this.readings.findForgotten(FORGOTTEN_AFTER_MS, spaceName, FORGOTTEN_BATCH);
    for (const documentId of ids) {
      this.jobs.wake(ingestDocumentJob, { documentId }, { id: `document-${documentId}` });
    }
    return ids.length;
  }

  /** Replaces the previous result, and updates the status of the base. */
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
}
