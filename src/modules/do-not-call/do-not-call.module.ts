import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DoNotCallController } from './do-not-call.controller.js';
import { DoNotCallRepository } from './do-not-call.repository.js';
import { EntryPersonalDataService } from './personal-data/entry-personal-data.service.js';
import { DoNotCallService } from './do-not-call.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [DoNotCallController],
  providers: [DoNotCallService, DoNotCallRepository, EntryPersonalDataService],
  exports: [EntryPersonalDataService, DoNotCallService],
})
export class DoNotCallModule {}
