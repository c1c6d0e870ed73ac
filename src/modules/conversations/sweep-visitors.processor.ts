import { IdleConversationsService } from './endings/idle-conversations.service.js';
import { VisitorRecordsService } from '../visitors/visitor-records.service.js';
import { sweepVisitorsJob } from './sweep-visitors.job.js';
import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';

@ProcessorOf(sweepVisitorsJob)
export class SweepVisitorsProcessor extends JobProcessor<typeof sweepVisitorsJob> {
  constructor(
    private readonly records: VisitorRecordsService,
    private readonly conversations: IdleConversationsService,
  ) {
    super(sweepVisitorsJob);
  }

  protected async handle(): Promise<unknown> {
    await this.records.sweep();
    return this.conversations.removeUnused();
  }
}
