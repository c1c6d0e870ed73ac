import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallSharesController } from './call-shares.controller.js';
import { CallSharesRepository } from './call-shares.repository.js';
import { CallSharesService } from './call-shares.service.js';
import { SharedCallsController } from './shared-calls.controller.js';
import { SharedCallsService } from './shared-calls.service.js';

/** Links to calls for people without an account. */
@Module({
  imports: [AccountsModule, CallsModule],
  controllers: [CallSharesController, SharedCallsController],
  providers: [CallSharesRepository, CallSharesService, SharedCallsService],
})
export class CallSharesModule {}
