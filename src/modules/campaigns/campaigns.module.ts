import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { CampaignProgressController } from './campaign-progress.controller.js';
import { CampaignProgressRepository } from './campaign-progress.repository.js';
import { CampaignProgressService } from './campaign-progress.service.js';
import { CampaignRules } from './campaign-rules.js';
import { CampaignRuns } from './campaign-runs.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsRepository } from './campaigns.repository.js';
import { CampaignsService } from './campaigns.service.js';
import { AttemptSender } from './dialler/attempt-sender.js';
import { AttemptSettlement } from './dialler/attempt-settlement.js';
import { DialAttemptsRepository } from './dialler/dial-attempts.repository.js';
import { DialClaimsRepository } from './dialler/dial-claims.repository.js';
import { DialGate } from './dialler/dial-gate.js';
import { DialRetentionService } from './dialler/dial-retention.service.js';
import { DialSweeper } from './dialler/dial-sweeper.js';
import { DialBeat } from './dialler/dial-beat.js';
import { Dialler } from './dialler/dialler.js';
import { DueCampaignsService } from './dialler/due-campaigns.service.js';
import { LeadLocks } from './dialler/lead-locks.repository.js';
import { LeadOutcomes } from './dialler/lead-outcomes.js';

@Module({
  imports: [
    AccountsModule,
    AssistantsModule,
    BillingModule,
    CallsModule,
    LeadsModule,
    PhoneNumbersModule,
    TelephonyModule,
  ],
  controllers: [CampaignsController, CampaignProgressController],
  providers: [
    CampaignsService,
    CampaignRuns,
    CampaignRules,
    CampaignsRepository,
    CampaignProgressRepository,
    CampaignProgressService,
    AttemptSender,
    AttemptSettlement,
    DialAttemptsRepository,
    DialBeat,
    DialClaimsRepository,
    DialGate,
    DialRetentionService,
    DialSweeper,
    Dialler,
    DueCampaignsService,
    LeadLocks,
    LeadOutcomes,
  ],
  exports: [CampaignsService, DialBeat, DialRetentionService, DialSweeper, Dialler, LeadOutcomes],
})
export class CampaignsModule {}
