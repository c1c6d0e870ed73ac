import { JobProcessor } from '../../../queues/job-processor.js';
import type { PayloadOf } from '../../../queues/job-definition.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { concludeConversationJob } from './conclude-conversation.job.js';
import { ConversationEndingsService } from './conversation-endings.service.js';

@ProcessorOf(concludeConversationJob)
export class ConcludeConversationProcessor extends JobProcessor<typeof concludeConversationJob> {
  constructor(private readonly endings: ConversationEndingsService) {
    super(concludeConversationJob);
  }

  protected handle({ conversationId }: PayloadOf<typeof concludeConversationJob>): Promise<unknown> {
    return this.endings.conclude(conversationId);
  }
}
