import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { Handles } from '../../../queues/workers/handles.js';
import { KnowledgebasesRepository } from '../knowledgebases.repository.js';
import { type OutdatedDocument, WordReindexRepository } from './word-reindex.repository.js';
import { reindexWordsJob } from './reindex-words.job.js';

/** One run works for about this long; the next continues where it ended. */
const RUN_MS = 20_000;
const DOCUMENTS = 100;
const CHUNKS = 200;

/**
 * Indexes the words of documents again that an older version has indexed: in scripts without spaces it stored sentences as
 * one word. Documents are looked through in small steps, and other scripts are left as they are.
 */
@Injectable()
export class WordReindexService {
  constructor(
    private readonly words: WordReindexRepository,
    private readonly bases: KnowledgebasesRepository,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Returns how many documents were looked through. */
  @Handles(reindexWordsJob)
  async reindexOutdated(): Promise<number> {
    const end = Date.now() + RUN_MS;
    let done = 0;
    for (;;) {
      const documents = await this.words.findOutdated(DOCUMENTS);
      for (const document of documents) {
        if (Date.now() > end) return done;
        await this.reindex(document);
        done++;
      }
      if (documents.length < DOCUMENTS) return done;
    }
  }

  private async reindex(document: OutdatedDocument): Promise<void> {
    const { id, userId, knowledgebaseId } = document;
    let changed = 0;
    let afterId = '0';
    for (;;) {
      const chunks = await this.words.findUnspacedChunks(document, afterId, CHUNKS);
      await this.words.saveWords(document, chunks);
      changed += chunks.length;
      afterId = chunks.at(-1)?.id ?? afterId;
      if (chunks.length < CHUNKS) break;
    }
    await this.transactions.run(async (tx) => {
      const base = await this.bases.findLocked(userId, knowledgebaseId, tx);
      if (!base) return;
      await this.words.markIndexed(document, tx);
      if (changed > 0) await this.bases.followDocuments(userId, knowledgebaseId, tx);
    });
    if (changed > 0)
      this.logger.info('words of a document indexed again', { documentId: id, chunks: changed });
  }
}
