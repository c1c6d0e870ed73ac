import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CampaignProgressController } from './progress/campaign-progress.controller.js';
import { CampaignProgressRepository } from './progress/campaign-progress.repository.js';
import { CampaignProgressService } from './progress/campaign-progress.service.js';
import { DiallingPauseService } from './progress/dialling-pause.service.js';
import { CampaignDeletionService } from './campaign-deletion.service.js';
import { CampaignObstaclesService } from './campaign-obstacles.service.js';
import { CampaignRulesService } from './campaign-rules.service.js';
import { CampaignStartChecksService } from './campaign-start-checks.service.js';
import { CampaignLifecycleService } from './campaign-lifecycle.service.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsRepository } from './campaigns.repository.js';
import { CampaignsService } from './campaigns.service.js';
import { DialAttemptsRepository } from './dialler/attempts/dial-attempts.repository.js';
import { DialRetentionService } from './dialler/attempts/dial-retention.service.js';
import { AttemptPersonalDataService } from './personal-data/attempt-personal-data.service.js';
import { AttemptPersonalDataRepository } from './personal-data/attempt-personal-data.repository.js';

@Module({
  imports: [
    AccountsModule,
    ActiveCallsModule,
    AssistantsModule,
    BillingModule,
    CallsModule,
    LeadsModule,
    PhoneNumbersModule,
    TelephonyModule,
    WebhooksModule,
  ],
  controllers: [CampaignsController, CampaignProgressController],
  providers: [
    CampaignsService,
    CampaignDeletionService,
    CampaignLifecycleService,
    CampaignObstaclesService,
    CampaignRulesService,
    CampaignStartChecksService,
    CampaignsRepository,
    CampaignProgressRepository,
    CampaignProgressService,
    DiallingPauseService,
    DialAttemptsRepository,
    DialRetentionService,
    AttemptPersonalDataService,
    AttemptPersonalDataRepository,
  ],
  exports: [CampaignLifecycleService, DialAttemptsRepository, AttemptPersonalDataService, CampaignsService],
})
export class CampaignsModule {}
