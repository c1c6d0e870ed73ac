import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallMonitorRecordsModule } from '../calls/monitors/call-monitor-records.module.js';
import { PersonTakeoversModule } from '../person-takeovers/person-takeovers.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { CallMonitorGrantsService } from './call-monitor-grants.service.js';
import { CallMonitorsController } from './call-monitors.controller.js';
import { OfferAnswersService } from './offers/offer-answers.service.js';
import { TransferOffersController } from './offers/transfer-offers.controller.js';

/** People listen to running calls, and answer the offers of calls. */
@Module({
  imports: [AccountsModule, CallsModule, CallMonitorRecordsModule, PersonTakeoversModule, VoiceWorkersModule],
  controllers: [CallMonitorsController, TransferOffersController],
  providers: [CallMonitorGrantsService, OfferAnswersService],
})
export class CallMonitorsModule {}
