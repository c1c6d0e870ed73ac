import { Module } from '@nestjs/common';
import { SessionFactoriesModule } from '../../runtime/call/session-factories.module.js';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { PersonTakeoversModule } from '../person-takeovers/person-takeovers.module.js';
import { CallCompletionModule } from '../call-completion/call-completion.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { InboundEventsModule } from '../inbound-events/inbound-events.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { AnsweredCallsService } from './answered-calls.service.js';
import { CallAdoptionService } from './call-adoption.service.js';
import { CallDrainService } from './call-drain.service.js';
import { CallControllerFactory } from './call-controller.factory.js';
import { CallLeasesService } from './call-leases.service.js';
import { CallRunnerService } from './call-runner.service.js';
import { CallSetupService } from './call-setup.service.js';
import { CallSessionsService } from './call-sessions.service.js';
import { CallConclusionService } from './ends/call-conclusion.service.js';
import { CallHangupService } from './ends/call-hangup.service.js';
import { CallStopsService } from './ends/call-stops.service.js';
import { TurnMetricsService } from './observers/turn-metrics.service.js';
import { RecordingSpoolService } from './recordings/recording-spool.service.js';
import { RecordingUploadsService } from './recordings/recording-uploads.service.js';
import { SpokenMessagesService } from './spoken-messages.service.js';
import { MessageVoicesService } from './message-voices.service.js';
import { FarEndsService } from './forwards/far-ends.service.js';
import { ForwardedCallsService } from './forwards/forwarded-calls.service.js';
import { JoinedLinesService } from './forwards/joined-lines.service.js';
import { SecondLegsService } from './second-legs.service.js';
import { QueueExitsService } from './queue/queue-exits.service.js';
import { QueueFallbacksService } from './queue/queue-fallbacks.service.js';
import { QueueMetricsService } from './queue/queue-metrics.service.js';
import { QueuePlacesService } from './queue/queue-places.service.js';
import { WaitingCallsService } from './queue/waiting-calls.service.js';
import { CallTakeoverService } from './takeover/call-takeover.service.js';
import { TakenOverCallsService } from './takeover/taken-over-calls.service.js';
import { LineHandoverService } from './takeover/line-handover.service.js';
import { CallObserversService } from './observers/call-observers.service.js';

/** The calls that this process monitors, from the dial or the answer to the end. */
@Module({
  imports: [
    SessionFactoriesModule,
    ActiveCallsModule,
    CallCompletionModule,
    CallsModule,
    InboundEventsModule,
    LlmModule,
    PersonTakeoversModule,
    PhoneNumbersModule,
    TelephonyModule,
    VoiceWorkersModule,
  ],
  providers: [
    RecordingSpoolService,
    RecordingUploadsService,
    TurnMetricsService,
    AnsweredCallsService,
    CallAdoptionService,
    CallObserversService,
    CallConclusionService,
    CallDrainService,
    CallControllerFactory,
    CallHangupService,
    CallLeasesService,
    CallRunnerService,
    CallSessionsService,
    CallSetupService,
    CallStopsService,
    CallTakeoverService,
    FarEndsService,
    ForwardedCallsService,
    JoinedLinesService,
    LineHandoverService,
    MessageVoicesService,
    QueueExitsService,
    QueueFallbacksService,
    QueueMetricsService,
    QueuePlacesService,
    SecondLegsService,
    SpokenMessagesService,
    TakenOverCallsService,
    WaitingCallsService,
  ],
  exports: [
    CallAdoptionService,
    CallRunnerService,
    CallSessionsService,
    CallStopsService,
    ForwardedCallsService,
    RecordingSpoolService,
    SpokenMessagesService,
  ],
})
export class CallSessionsModule {}
