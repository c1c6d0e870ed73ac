import { Module } from '@nestjs/common';
import { StorageModule } from '../../providers/storage/storage.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { ConversationPersonalDataModule } from '../conversations/personal-data/conversation-personal-data.module.js';
import { FilesModule } from '../files/files.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { AccountDeletionController } from './account-deletion.controller.js';
import { AccountExportsController } from './account-exports.controller.js';
import { AccountTablesRepository } from './account-tables.repository.js';
import { AccountClosingService } from './deletion/account-closing.service.js';
import { AccountDeletionRunnerService } from './deletion/account-deletion-runner.service.js';
import { AccountDeletionsRepository } from './deletion/account-deletions.repository.js';
import { AccountDeletionsService } from './deletion/account-deletions.service.js';
import { AccountRowsDeletionService } from './deletion/account-rows-deletion.service.js';
import { AccountShutdownService } from './deletion/account-shutdown.service.js';
import { AccountArchiveService } from './exports/account-archive.service.js';
import { AccountExportRunnerService } from './exports/account-export-runner.service.js';
import { AccountExportsRepository } from './exports/account-exports.repository.js';
import { AccountExportsService } from './exports/account-exports.service.js';
import { AccountRowsRepository } from './exports/account-rows.repository.js';

/** Deletes or exports all data of an account. It depends on every module that holds any of it. */
@Module({
  imports: [
    AccountsModule,
    ActiveCallsModule,
    AssistantsModule,
    BillingModule,
    CampaignsModule,
    ConversationPersonalDataModule,
    FilesModule,
    PhoneNumbersModule,
    StorageModule,
  ],
  controllers: [AccountDeletionController, AccountExportsController],
  providers: [
    AccountArchiveService,
    AccountClosingService,
    AccountDeletionRunnerService,
    AccountDeletionsRepository,
    AccountDeletionsService,
    AccountExportRunnerService,
    AccountExportsRepository,
    AccountExportsService,
    AccountRowsDeletionService,
    AccountRowsRepository,
    AccountShutdownService,
    AccountTablesRepository,
  ],
})
export class AccountDataModule {}
