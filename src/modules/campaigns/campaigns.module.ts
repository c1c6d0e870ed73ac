import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CampaignProgressController } from './progress/campaign-progress.controller.js';
import { CampaignProgressRepository } from './progress/campaign-progress.repository.js';
import { CampaignProgressService } from './progress/campaign-progress.service.js';
import { DiallingPauseService } from './progress/dialling-pause.service.js';
import { CampaignObstaclesService } from './campaign-obstacles.service.js';
import { CampaignRulesService } from './campaign-rules.service.js';
import { CampaignLifecycleService } from './campaign-lifecycle.service.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsRepository } from './campaigns.repository.js';
import { CampaignsService } from './campaigns.service.js';
import { AttemptSenderService } from './dialler/attempts/attempt-sender.service.js';
import { AttemptResultsService } from './dialler/attempts/attempt-results.service.js';
import { DialAttemptsRepository } from './dialler/attempts/dial-attempts.repository.js';
import { DialClaimsRepository } from './dialler/claims/dial-claims.repository.js';
import { LeadClaimerService } from './dialler/claims/lead-claimer.service.js';
import { DialRetentionService } from './dialler/attempts/dial-retention.service.js';
import { DialRecoveryService } from './dialler/recovery/dial-recovery.service.js';
import { DialBeatService } from './dialler/dial-beat.service.js';
import { DiallerService } from './dialler/dialler.service.js';
import { DueCampaignsService } from './dialler/due-campaigns.service.js';
import { LeadLocksRepository } from './dialler/claims/lead-locks.repository.js';
import { LeadOutcomesService } from './dialler/outcomes/lead-outcomes.service.js';
import { AttemptPersonalDataService } from './personal-data/attempt-personal-data.service.js';
import { AttemptTracesRepository } from './personal-data/attempt-traces.repository.js';

@Module({
  imports: [
    AccountsModule,
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
    CampaignLifecycleService,
    CampaignObstaclesService,
    CampaignRulesService,
    CampaignsRepository,
    CampaignProgressRepository,
    CampaignProgressService,
    DiallingPauseService,
    AttemptSenderService,
    AttemptResultsService,
    DialAttemptsRepository,
    DialBeatService,
    DialClaimsRepository,
    LeadClaimerService,
    DialRetentionService,
    DialRecoveryService,
    DiallerService,
    DueCampaignsService,
    LeadLocksRepository,
    LeadOutcomesService,
    AttemptPersonalDataService,
    AttemptTracesRepository,
  ],
  exports: [
    AttemptPersonalDataService,
    CampaignsService,
    DialBeatService,
    DialRetentionService,
    DialRecoveryService,
    DiallerService,
    LeadOutcomesService,
  ],
})
export class CampaignsModule {}
