import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallCountsRepository } from './call-counts.repository.js';
import { CallCountsService } from './call-counts.service.js';
import { CallListRepository } from './call-list.repository.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [CallsController],
  providers: [CallsService, CallsRepository, CallListRepository, CallCountsService, CallCountsRepository],
  exports: [CallsService],
})
export class CallsModule {}
