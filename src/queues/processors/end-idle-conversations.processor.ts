import { IdleConversationsService } from '../../modules/conversations/idle-conversations.service.js';
import { endIdleConversationsJob } from '../definitions/end-idle-conversations.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(endIdleConversationsJob)
export class EndIdleConversationsProcessor extends JobProcessor<typeof endIdleConversationsJob> {
  constructor(private readonly conversations: IdleConversationsService) {
    super(endIdleConversationsJob);
  }

  protected handle(): Promise<unknown> {
    return this.conversations.endIdle();
  }
}
