import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallRecoveryModule } from '../call-recovery/call-recovery.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { RoomCallsService } from './room-calls.service.js';
import { WebCallAdmissionService } from './web-call-admission.service.js';
import { WebCallGatewayService } from './upgrades/web-call-gateway.service.js';
import { WebCallsModule } from './web-calls.module.js';

/** The voice role's part: connects the customer's audio with the call. */
@Module({
  imports: [ActiveCallsModule, CallRecoveryModule, TelephonyModule, VoiceWorkersModule, WebCallsModule],
  providers: [RoomCallsService, WebCallAdmissionService, WebCallGatewayService],
})
export class WebCallsVoiceModule {}
