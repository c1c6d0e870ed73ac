import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallCompletionModule } from '../call-completion/call-completion.module.js';
import { CallSessionsModule } from '../call-sessions/call-sessions.module.js';
import { OutboundCallsModule } from '../outbound-calls/outbound-calls.module.js';
import { CallRecoveryModule } from './call-recovery.module.js';
import { CallSweepService } from './call-sweep.service.js';

/** The worker role's part: sweeps for calls that a dead process or a lost job has left. */
@Module({
  imports: [
    ActiveCallsModule,
    CallCompletionModule,
    CallRecoveryModule,
    CallSessionsModule,
    OutboundCallsModule,
    TelephonyModule,
  ],
  providers: [CallSweepService],
})
export class CallRecoveryWorkerModule {}
