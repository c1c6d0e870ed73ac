import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { ConversationFiguresModule } from '../conversations/figures/conversation-figures.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { InboundAnalyticsService } from './inbound-analytics.service.js';

@Module({
  imports: [AccountsModule, AssistantsModule, CallsModule, CampaignsModule, ConversationFiguresModule],
  controllers: [AnalyticsController],
  providers: [AnalyticsService, InboundAnalyticsService],
})
export class AnalyticsModule {}
