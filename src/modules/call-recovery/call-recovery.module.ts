import { Module } from '@nestjs/common';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallSessionsModule } from '../call-sessions/call-sessions.module.js';
import { OutboundCallsModule } from '../outbound-calls/outbound-calls.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { CallRecoveryService } from './call-recovery.service.js';

/** Takes up calls that no process has. */
@Module({
  imports: [ActiveCallsModule, CallSessionsModule, OutboundCallsModule, VoiceWorkersModule],
  providers: [CallRecoveryService],
  exports: [CallRecoveryService],
})
export class CallRecoveryModule {}
