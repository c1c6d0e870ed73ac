import { Module } from '@nestjs/common';
import { TakeoverRecordsModule } from '../active-calls/person-takeovers/takeover-records.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallMonitorRecordsModule } from '../calls/monitors/call-monitor-records.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { PersonTakeoversService } from './person-takeovers.service.js';

/** People take over running calls from their assistants. */
@Module({
  imports: [CallMonitorRecordsModule, CallsModule, TakeoverRecordsModule, WebhooksModule],
  providers: [PersonTakeoversService],
  exports: [PersonTakeoversService],
})
export class PersonTakeoversModule {}
