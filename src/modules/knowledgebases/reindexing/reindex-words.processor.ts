import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { reindexWordsJob } from './reindex-words.job.js';
import { WordReindexService } from './word-reindex.service.js';

@ProcessorOf(reindexWordsJob)
export class ReindexWordsProcessor extends JobProcessor<typeof reindexWordsJob> {
  constructor(private readonly words: WordReindexService) {
    super(reindexWordsJob);
  }

  protected handle(): Promise<unknown> {
    return this.words.reindexOutdated();
  }
}
