import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { TakeoverRecordsModule } from '../active-calls/person-takeovers/takeover-records.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallMonitorRecordsModule } from '../calls/monitors/call-monitor-records.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { OfferRingsService } from './offers/offer-rings.service.js';
import { TransferOffersRepository } from './offers/transfer-offers.repository.js';
import { TransferOffersService } from './offers/transfer-offers.service.js';
import { PersonTakeoversService } from './person-takeovers.service.js';

/** People take over running calls from their assistants, which may offer the calls to them. */
@Module({
  imports: [AccountsModule, CallMonitorRecordsModule, CallsModule, TakeoverRecordsModule, WebhooksModule],
  providers: [OfferRingsService, PersonTakeoversService, TransferOffersRepository, TransferOffersService],
  exports: [OfferRingsService, PersonTakeoversService, TransferOffersService],
})
export class PersonTakeoversModule {}
