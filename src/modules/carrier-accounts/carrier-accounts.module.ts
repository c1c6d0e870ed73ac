import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { CarrierAccountsController } from './carrier-accounts.controller.js';
import { CarrierAccountsRepository } from './carrier-accounts.repository.js';
import { CarrierAccountsService } from './carrier-accounts.service.js';

@Module({
  imports: [TelephonyModule],
  controllers: [CarrierAccountsController],
  providers: [CarrierAccountsRepository, CarrierAccountsService],
  exports: [CarrierAccountsService],
})
export class CarrierAccountsModule {}
