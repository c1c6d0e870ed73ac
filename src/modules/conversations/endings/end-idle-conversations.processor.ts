import { IdleConversationsService } from './idle-conversations.service.js';
import { ConversationEndingsService } from './conversation-endings.service.js';
import { endIdleConversationsJob } from './end-idle-conversations.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(endIdleConversationsJob)
export class EndIdleConversationsProcessor extends JobProcessor<typeof endIdleConversationsJob> {
  constructor(
    private readonly conversations: IdleConversationsService,
    private readonly endings: ConversationEndingsService,
  ) {
    super(endIdleConversationsJob);
  }

  protected async handle(): Promise<void> {
    await this.conversations.endIdle();
    await this.endings.sweep();
  }
}
