import { Module } from '@nestjs/common';
import { SessionFactoriesModule } from '../../runtime/call/session-factories.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallSessionsModule } from '../call-sessions/call-sessions.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { NumberVerificationsModule } from '../number-verifications/number-verifications.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { InboundRoutesService } from './inbound-routes.service.js';
import { InboundAdmissionService } from './inbound-admission.service.js';

/** Answers incoming calls: text calls in workers, audio calls in voice processes. */
@Module({
  imports: [
    SessionFactoriesModule,
    ActiveCallsModule,
    AssistantsModule,
    CallSessionsModule,
    CallsModule,
    NumberVerificationsModule,
    PhoneNumbersModule,
    TelephonyModule,
    VoiceWorkersModule,
  ],
  providers: [InboundAdmissionService, InboundCallsService, InboundRoutesService],
})
export class InboundCallsModule {}
