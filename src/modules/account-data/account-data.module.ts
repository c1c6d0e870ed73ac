import { Module } from '@nestjs/common';
import { StorageModule } from '../../providers/storage/storage.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { AccountDeletionController } from './account-deletion.controller.js';
import { AccountTablesRepository } from './account-tables.repository.js';
import { AccountClosingService } from './deletion/account-closing.service.js';
import { AccountDeletionRunnerService } from './deletion/account-deletion-runner.service.js';
import { AccountDeletionsRepository } from './deletion/account-deletions.repository.js';
import { AccountDeletionsService } from './deletion/account-deletions.service.js';

/** Everything of an account at once: deleted, or given out. It stands above every module that holds any of it. */
@Module({
  imports: [
    AccountsModule,
    AssistantsModule,
    BillingModule,
    CallsModule,
    CampaignsModule,
    ConversationsModule,
    PhoneNumbersModule,
    StorageModule,
  ],
  controllers: [AccountDeletionController],
  providers: [
    AccountClosingService,
    AccountDeletionRunnerService,
    AccountDeletionsRepository,
    AccountDeletionsService,
    AccountTablesRepository,
  ],
  exports: [AccountDeletionRunnerService],
})
export class AccountDataModule {}
