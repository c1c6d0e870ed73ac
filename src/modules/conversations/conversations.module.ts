import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { AllowancesModule } from '../allowances/allowances.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CallerLookupsModule } from '../caller-lookups/caller-lookups.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { VisitorsModule } from '../visitors/visitors.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AnswerConfirmationService } from './turns/answer-confirmation.service.js';
import { AutomateConversationsController } from './automate-conversations.controller.js';
import { ChatAssistantsService } from './turns/chat-assistants.service.js';
import { ChatHandoffsService } from './turns/chat-handoffs.service.js';
import { ChatMetricsService } from './turns/chat-metrics.service.js';
import { ChatService } from './turns/chat.service.js';
import { ConversationEventsPublisher } from './conversation-events-publisher.js';
import { ConversationOpeningsService } from './conversation-openings.service.js';
import { ConversationOriginsService } from './conversation-origins.service.js';
import { ConversationQueueService } from './turns/conversation-queue.service.js';
import { ConversationWriterService } from './conversation-writer.service.js';
import { ConversationsRepository } from './conversations.repository.js';
import { ConversationsService } from './conversations.service.js';
import { CustomerMessagesService } from './turns/customer-messages.service.js';
import { ConversationEndingsRepository } from './endings/conversation-endings.repository.js';
import { ConversationEndingsService } from './endings/conversation-endings.service.js';
import { ConversationEvaluationsService } from './endings/conversation-evaluations.service.js';
import { IdleConversationsService } from './endings/idle-conversations.service.js';
import { ConversationListRepository } from './inbox/conversation-list.repository.js';
import { AssigneesController } from './inbox/assignees.controller.js';
import { AssigneesService } from './inbox/assignees.service.js';
import { ConversationTagsController } from './inbox/conversation-tags.controller.js';
import { InboxController } from './inbox/inbox.controller.js';
import { InboxRepository } from './inbox/inbox.repository.js';
import { InboxService } from './inbox/inbox.service.js';
import { PublicConversationsController } from './public-conversations.controller.js';
import { TestAllowanceService } from './test-allowance.service.js';
import { TurnAnswerService } from './turns/turn-answer.service.js';
import { TurnCompletionService } from './turns/turn-completion.service.js';
import { TurnLeasesService } from './turns/turn-leases.service.js';
import { TurnStartService } from './turns/turn-start.service.js';
import { TurnsRepository } from './turns/turns.repository.js';
import { UnusedConversationsRepository } from './endings/unused-conversations.repository.js';
import { WidgetController } from './widget/widget.controller.js';
import { WidgetService } from './widget/widget.service.js';

@Module({
  imports: [
    AccountsModule,
    AllowancesModule,
    AssistantsModule,
    BillingModule,
    CallerLookupsModule,
    CatalogModule,
    LlmModule,
    VisitorsModule,
    WebhooksModule,
  ],
  controllers: [
    PublicConversationsController,
    AutomateConversationsController,
    // Before the inbox, whose paths would take its list for a conversation.
    AssigneesController,
    InboxController,
    ConversationTagsController,
    WidgetController,
  ],
  providers: [
    AssigneesService,
    AnswerConfirmationService,
    ConversationsService,
    ChatService,
    ChatAssistantsService,
    ChatHandoffsService,
    ChatMetricsService,
    ConversationEndingsRepository,
    ConversationEndingsService,
    ConversationEvaluationsService,
    ConversationListRepository,
    ConversationEventsPublisher,
    ConversationOpeningsService,
    ConversationQueueService,
    ConversationWriterService,
    ConversationOriginsService,
    ConversationsRepository,
    CustomerMessagesService,
    IdleConversationsService,
    InboxRepository,
    InboxService,
    TestAllowanceService,
    TurnAnswerService,
    TurnCompletionService,
    TurnLeasesService,
    TurnStartService,
    TurnsRepository,
    UnusedConversationsRepository,
    WidgetService,
  ],
  exports: [ConversationOpeningsService, InboxService],
})
export class ConversationsModule {}
