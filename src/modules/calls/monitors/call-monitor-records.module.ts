import { Module } from '@nestjs/common';
import { CallDeskRepository } from '../desk/call-desk.repository.js';
import { CallDeskService } from '../desk/call-desk.service.js';
import { CallMonitorsRepository } from './call-monitors.repository.js';
import { CallMonitorsService } from './call-monitors.service.js';

/** The record of people who listen to calls, and of what they do in them. */
@Module({
  providers: [CallDeskRepository, CallDeskService, CallMonitorsRepository, CallMonitorsService],
  exports: [CallDeskService, CallMonitorsService],
})
export class CallMonitorRecordsModule {}
