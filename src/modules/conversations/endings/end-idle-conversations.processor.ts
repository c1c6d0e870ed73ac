import { IdleConversationsService } from './idle-conversations.service.js';
import { endIdleConversationsJob } from './end-idle-conversations.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(endIdleConversationsJob)
export class EndIdleConversationsProcessor extends JobProcessor<typeof endIdleConversationsJob> {
  constructor(private readonly conversations: IdleConversationsService) {
    super(endIdleConversationsJob);
  }

  protected handle(): Promise<unknown> {
    return this.conversations.endIdle();
  }
}
