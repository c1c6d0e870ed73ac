import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { OutboundCalls } from './outbound-calls.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallCountsRepository } from './call-counts.repository.js';
import { CallCountsService } from './call-counts.service.js';
import { CallListRepository } from './call-list.repository.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';

@Module({
  imports: [AccountsModule, TelephonyModule],
  controllers: [CallsController],
  providers: [
    OutboundCalls,
    CallsService,
    CallsRepository,
    CallListRepository,
    CallCountsService,
    CallCountsRepository,
  ],
  exports: [CallsService, OutboundCalls],
})
export class CallsModule {}
