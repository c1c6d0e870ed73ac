import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { CampaignRules } from './campaign-rules.js';
import { CampaignRuns } from './campaign-runs.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsRepository } from './campaigns.repository.js';
import { CampaignsService } from './campaigns.service.js';

@Module({
  imports: [AccountsModule, AssistantsModule, BillingModule, LeadsModule, PhoneNumbersModule],
  controllers: [CampaignsController],
  providers: [CampaignsService, CampaignRuns, CampaignRules, CampaignsRepository],
  exports: [CampaignsService],
})
export class CampaignsModule {}
