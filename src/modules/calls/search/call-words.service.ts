import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { Handles } from '../../../queues/workers/handles.js';
import { CallWordsRepository } from './call-words.repository.js';
import { indexCallWordsJob } from './index-call-words.job.js';

/** One run works for about this long; the next continues where it ended. */
const RUN_MS = 20_000;
/** Bounds a transaction, which locks its calls: about 50 ms with transcripts. */
const BATCH = 200;

/** Indexes the words of calls from before the search existed, newest first, in one process at a time. */
@Injectable()
export class CallWordsService {
  constructor(
    private readonly words: CallWordsRepository,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  @Handles(indexCallWordsJob)
  async indexBacklog(): Promise<void> {
    const end = Date.now() + RUN_MS;
    while (Date.now() < end && (await this.indexBatch()));
  }

  /** False when nothing is left, or another process is at it. */
  private indexBatch(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const before = await this.words.lockBacklog(tx);
      if (before === null) return false;
      const lowest = await this.words.addBelow(before, BATCH, tx);
      if (lowest === null) {
        await this.words.clearBacklog(tx);
        this.logger.info('the words of all calls are indexed');
        return false;
      }
      await this.words.setBacklog(lowest, tx);
      return true;
    });
  }
}
