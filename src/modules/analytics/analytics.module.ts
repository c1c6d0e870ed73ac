import { Module } from '@nestjs/common';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { SpeechModule } from '../../providers/speech/speech.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ConversationFiguresModule } from '../conversations/figures/conversation-figures.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { CallEstimatesController } from './call-estimates.controller.js';
import { CallEstimatesService } from './call-estimates.service.js';
import { InboundAnalyticsService } from './inbound-analytics.service.js';

@Module({
  imports: [
    AccountsModule,
    ActiveCallsModule,
    AssistantsModule,
    CallsModule,
    CampaignsModule,
    CatalogModule,
    ConversationFiguresModule,
    LlmModule,
    SpeechModule,
  ],
  controllers: [AnalyticsController, CallEstimatesController],
  providers: [AnalyticsService, CallEstimatesService, InboundAnalyticsService],
})
export class AnalyticsModule {}
