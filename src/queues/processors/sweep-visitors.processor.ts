import { IdleConversationsService } from '../../modules/conversations/idle-conversations.service.js';
import { VisitorRecordsService } from '../../modules/visitors/visitor-records.service.js';
import { sweepVisitorsJob } from '../definitions/sweep-visitors.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

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
