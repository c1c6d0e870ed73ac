import { Module } from '@nestjs/common';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AnswerConfirmationService } from './answer-confirmation.service.js';
import { AutomateConversationsController } from './automate-conversations.controller.js';
import { ChatAssistants } from './chat-assistants.service.js';
import { ChatService } from './chat.service.js';
import { ConversationQueue } from './conversation-queue.js';
import { ConversationsRepository } from './conversations.repository.js';
import { ConversationsService } from './conversations.service.js';
import { IdleConversationsService } from './idle-conversations.service.js';
import { PublicConversationsController } from './public-conversations.controller.js';
import { UserConversationsController } from './user-conversations.controller.js';

@Module({
  imports: [AssistantsModule, BillingModule, LlmModule, WebhooksModule],
  controllers: [PublicConversationsController, AutomateConversationsController, UserConversationsController],
  providers: [
    AnswerConfirmationService,
    ConversationsService,
    ChatService,
    ChatAssistants,
    ConversationQueue,
    ConversationsRepository,
    IdleConversationsService,
  ],
  exports: [ConversationsService, IdleConversationsService],
})
export class ConversationsModule {}
