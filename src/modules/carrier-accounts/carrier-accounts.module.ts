import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CarrierAccountsController } from './carrier-accounts.controller.js';
import { CarrierAccountsRepository } from './carrier-accounts.repository.js';
import { CarrierAccountsService } from './carrier-accounts.service.js';

@Module({
  imports: [AccountsModule, TelephonyModule],
  controllers: [CarrierAccountsController],
  providers: [CarrierAccountsRepository, CarrierAccountsService],
  exports: [CarrierAccountsService],
})
export class CarrierAccountsModule {}
