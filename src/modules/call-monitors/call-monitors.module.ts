import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallMonitorRecordsModule } from '../calls/monitors/call-monitor-records.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { CallMonitorGrantsService } from './call-monitor-grants.service.js';
import { CallMonitorsController } from './call-monitors.controller.js';

/** People listen to running calls. */
@Module({
  imports: [AccountsModule, CallsModule, CallMonitorRecordsModule, VoiceWorkersModule],
  controllers: [CallMonitorsController],
  providers: [CallMonitorGrantsService],
})
export class CallMonitorsModule {}
