import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { ConversationPersonalDataModule } from '../conversations/personal-data/conversation-personal-data.module.js';
import { DoNotCallModule } from '../do-not-call/do-not-call.module.js';
import { KnowledgebasesModule } from '../knowledgebases/knowledgebases.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { NumberVerificationsModule } from '../number-verifications/number-verifications.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { SimulationsModule } from '../simulations/simulations.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ErasureRunnerService } from './erasure-runner.service.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ErasuresService } from './erasures.service.js';
import { PersonalDataExportService } from './personal-data-export.service.js';
import { PersonalDataSourcesService } from './personal-data-sources.service.js';
import { RetentionRepository } from './retention/retention.repository.js';
import { RetentionService } from './retention/retention.service.js';
import { PrivacyController } from './privacy.controller.js';

/** Personal data: finds, exports and erases the data of a person. It depends on every module that holds any. */
@Module({
  imports: [
    AccountsModule,
    CallsModule,
    CampaignsModule,
    ConversationPersonalDataModule,
    DoNotCallModule,
    KnowledgebasesModule,
    LeadsModule,
    NumberVerificationsModule,
    PhoneNumbersModule,
    SimulationsModule,
    WebhooksModule,
  ],
  controllers: [PrivacyController],
  providers: [
    ErasureRunnerService,
    ErasuresRepository,
    ErasuresService,
    PersonalDataExportService,
    PersonalDataSourcesService,
    RetentionRepository,
    RetentionService,
  ],
})
export class PrivacyModule {}
