import { Module } from '@nestjs/common';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CallCompletionService } from './call-completion.service.js';
import { CallEndNotifierService } from './call-end-notifier.service.js';
import { CallEvaluationsService } from './call-evaluations.service.js';
import { CallWebhooksService } from './call-webhooks.service.js';
import { WebhookRetentionService } from './webhook-retention.service.js';
import { CallEndEventsService } from './call-end-events.service.js';

/** The end of a call: its last state, its price, its evaluation and its webhooks. */
@Module({
  imports: [ActiveCallsModule, AssistantsModule, BillingModule, CallsModule, LlmModule, WebhooksModule],
  providers: [
    CallEndEventsService,
    CallCompletionService,
    CallEndNotifierService,
    CallEvaluationsService,
    CallWebhooksService,
    WebhookRetentionService,
  ],
  exports: [CallEndEventsService, CallCompletionService, CallEndNotifierService, CallEvaluationsService],
})
export class CallCompletionModule {}
