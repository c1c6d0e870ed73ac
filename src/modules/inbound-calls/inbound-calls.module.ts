import { Module } from '@nestjs/common';
import { SessionFactoriesModule } from '../../runtime/call/session-factories.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallCompletionModule } from '../call-completion/call-completion.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallSessionsModule } from '../call-sessions/call-sessions.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { InboundEventsModule } from '../inbound-events/inbound-events.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { InboundRoutingModule } from '../inbound-routing/inbound-routing.module.js';
import { NumberVerificationsModule } from '../number-verifications/number-verifications.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { InboundLookupsService } from './inbound-lookups.service.js';
import { InboundRoutesService } from './inbound-routes.service.js';
import { AnswerAttemptsService } from './answer-attempts.service.js';
import { ForwardAttemptsService } from './forward-attempts.service.js';
import { MessageAttemptsService } from './message-attempts.service.js';
import { QueueAttemptsService } from './queue-attempts.service.js';
import { MessageSpeakersService } from './message-speakers.service.js';
import { TurnedAwayCallsService } from './turned-away-calls.service.js';
import { InboundAdmissionService } from './inbound-admission.service.js';

/** Answers incoming calls: text calls in workers, audio calls in voice processes. */
@Module({
  imports: [
    SessionFactoriesModule,
    AccountsModule,
    ActiveCallsModule,
    AssistantsModule,
    CallCompletionModule,
    CallSessionsModule,
    CallsModule,
    InboundEventsModule,
    InboundRoutingModule,
    NumberVerificationsModule,
    PhoneNumbersModule,
    TelephonyModule,
    VoiceWorkersModule,
    WebhooksModule,
  ],
  providers: [
    InboundAdmissionService,
    AnswerAttemptsService,
    ForwardAttemptsService,
    InboundCallsService,
    InboundLookupsService,
    InboundRoutesService,
    MessageAttemptsService,
    MessageSpeakersService,
    QueueAttemptsService,
    TurnedAwayCallsService,
  ],
})
export class InboundCallsModule {}
