import { Module } from '@nestjs/common';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { PersonTakeoversModule } from '../person-takeovers/person-takeovers.module.js';
import { CallSessionsModule } from '../call-sessions/call-sessions.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallMonitorRecordsModule } from '../calls/monitors/call-monitor-records.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { MonitorAdmissionService } from './sockets/monitor-admission.service.js';
import { MonitorCommandsService } from './sockets/monitor-commands.service.js';
import { MonitorGatewayService } from './sockets/monitor-gateway.service.js';
import { OpenMonitorsService } from './sockets/open-monitors.service.js';

/** The voice role's part: connects the people who listen with the calls of this process. */
@Module({
  imports: [
    ActiveCallsModule,
    CallSessionsModule,
    CallsModule,
    CallMonitorRecordsModule,
    PersonTakeoversModule,
    VoiceWorkersModule,
  ],
  providers: [MonitorAdmissionService, MonitorCommandsService, MonitorGatewayService, OpenMonitorsService],
})
export class CallMonitorsVoiceModule {}
