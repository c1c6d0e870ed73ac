import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '../../common/time/clock.js';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { StorageModule } from '../../providers/storage/storage.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CallTalks } from '../../runtime/call/call-talks.js';
import { DoNotCallModule } from '../do-not-call/do-not-call.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { FilesModule } from '../files/files.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CarrierBreakerRepository } from '../active-calls/carrier-breaker/carrier-breaker.repository.js';
import { CarrierBreakerService } from '../active-calls/carrier-breaker/carrier-breaker.service.js';
import { AnsweredCallService } from '../call-sessions/answered-call.service.js';
import { CallAssistantsService } from '../active-calls/call-assistants.service.js';
import { CallCapacityService } from '../active-calls/call-capacity.service.js';
import { CallRecoveryService } from '../call-recovery/call-recovery.service.js';
import { CallCountsRepository } from './listing/call-counts.repository.js';
import { CallCountsService } from './listing/call-counts.service.js';
import { CallCompletionService } from '../call-completion/call-completion.service.js';
import { CallEndNotifierService } from '../call-completion/call-end-notifier.service.js';
import { CallEngineFactory } from '../call-sessions/call-engine.factory.js';
import { CallEvaluationsService } from '../call-completion/call-evaluations.service.js';
import { CallMetricsService } from '../active-calls/call-metrics.service.js';
import { CallHandoffsRepository } from '../active-calls/handoffs/call-handoffs.repository.js';
import { CallHandoffsService } from '../active-calls/handoffs/call-handoffs.service.js';
import { CallMonitorService } from '../call-sessions/call-monitor.service.js';
import { CallExportsService } from './listing/call-exports.service.js';
import { CallListRepository } from './listing/call-list.repository.js';
import { CallLeasesService } from '../call-sessions/call-leases.service.js';
import { CallSessionsService } from '../call-sessions/call-sessions.service.js';
import { UnansweredCallsRepository } from '../active-calls/ends/unanswered-calls.repository.js';
import { ActiveCallsRepository } from '../active-calls/active-calls.repository.js';
import { OrphanedCallsRepository } from '../active-calls/orphaned-calls.repository.js';
import { PlatformLinesRepository } from '../active-calls/platform-lines.repository.js';
import { CallPlacementService } from '../outbound-calls/call-placement.service.js';
import { CallPaceRepository } from '../active-calls/rate-limit/call-rate-limits.repository.js';
import { CallPaceService } from '../active-calls/rate-limit/call-rate-limiter.service.js';
import { CallStopsService } from '../call-sessions/ends/call-stops.service.js';
import { CallWebhooksService } from '../call-completion/call-webhooks.service.js';
import { RecordingLinksService } from './recordings/recording-links.service.js';
import { RecordingUploadsService } from './recordings/recording-uploads.service.js';
import { RecordingsController } from './recordings/recordings.controller.js';
import { RecordingsRepository } from './recordings/recordings.repository.js';
import { RecordingsService } from './recordings/recordings.service.js';
import { CallNewsService } from './call-events-publisher.service.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';
import { TurnMetricsService } from './turns/turn-metrics.service.js';
import { CallFunctionCallsRepository } from './turns/call-function-calls.repository.js';
import { CallFunctionCallsService } from './turns/call-function-calls.service.js';
import { CallTurnsRepository } from './turns/call-turns.repository.js';
import { CallsService } from './calls.service.js';
import { CallFiguresRepository } from './stats/call-stats.repository.js';
import { CallFiguresService } from './stats/call-stats.service.js';
import { CallExpiryRepository } from './personal-data/call-expiry.repository.js';
import { CallExpiryService } from './personal-data/call-expiry.service.js';
import { CallPersonalDataService } from './personal-data/call-personal-data.service.js';
import { CallTracesRepository } from './personal-data/call-personal-data.repository.js';
import { CallHangupService } from '../call-sessions/ends/call-hangup.service.js';
import { CallTakeoverService } from '../call-sessions/takeover/call-takeover.service.js';
import { LineStatesRepository } from '../active-calls/line-states/line-states.repository.js';
import { LineHandoverService } from '../call-sessions/takeover/line-handover.service.js';
import { LineStatesService } from '../active-calls/line-states/line-states.service.js';
import { SecondLegsService } from '../call-sessions/second-legs.service.js';
import { MakeCallController } from '../outbound-calls/make-call.controller.js';
import { MakeCallService } from '../outbound-calls/make-call.service.js';
import { OutboundCallsService } from '../outbound-calls/outbound-calls.service.js';
import { DialledCallsRepository } from '../active-calls/dialled-calls.repository.js';
import { TwilioCallbacksService } from '../voice-workers/twilio/twilio-callbacks.service.js';
import { TwilioProofsService } from '../voice-workers/twilio/twilio-proofs.service.js';
import { VoiceClientService } from '../voice-workers/voice-client.service.js';
import { VoiceDispatchService } from '../voice-workers/voice-dispatch.service.js';
import { VoiceProcessesRepository } from '../voice-workers/voice-processes.repository.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { CallVoicesService } from './turns/call-voices.service.js';
import { VoiceReadinessService } from '../voice-workers/voice-readiness.service.js';
import { MediaUpgrades } from '../voice-workers/media-upgrades.js';
import { WebhookRetentionService } from '../call-completion/webhook-retention.service.js';

@Module({
  imports: [
    AccountsModule,
    AssistantsModule,
    BillingModule,
    CatalogModule,
    DoNotCallModule,
    FilesModule,
    LlmModule,
    PhoneNumbersModule,
    StorageModule,
    TelephonyModule,
    WebhooksModule,
  ],
  controllers: [CallsController, MakeCallController, RecordingsController],
  providers: [
    AnsweredCallService,
    CallAssistantsService,
    CallCapacityService,
    CallRecoveryService,
    CallVoicesService,
    CallFunctionCallsService,
    CallCountsRepository,
    CallCountsService,
    CallCompletionService,
    CallEndNotifierService,
    CallEngineFactory,
    CallEvaluationsService,
    CallMetricsService,
    CallHandoffsRepository,
    CallHandoffsService,
    CallMonitorService,
    CallNewsService,
    CallExportsService,
    CallListRepository,
    CallLeasesService,
    CallSessionsService,
    ActiveCallsRepository,
    OrphanedCallsRepository,
    PlatformLinesRepository,
    CallPlacementService,
    CallStopsService,
    CallWebhooksService,
    CarrierBreakerRepository,
    CarrierBreakerService,
    CallPaceRepository,
    CallPaceService,
    CallTalks,
    CallsRepository,
    CallTurnsRepository,
    CallFunctionCallsRepository,
    CallsService,
    { provide: Clock, useFactory: () => new SystemClock() },
    CallHangupService,
    CallTakeoverService,
    LineStatesRepository,
    LineHandoverService,
    LineStatesService,
    SecondLegsService,
    MakeCallService,
    MediaUpgrades,
    OutboundCallsService,
    RecordingLinksService,
    RecordingUploadsService,
    RecordingsRepository,
    RecordingsService,
    TurnMetricsService,
    UnansweredCallsRepository,
    DialledCallsRepository,
    TwilioCallbacksService,
    TwilioProofsService,
    VoiceClientService,
    VoiceDispatchService,
    VoiceProcessesRepository,
    VoiceProcessesService,
    VoiceReadinessService,
    WebhookRetentionService,
    CallExpiryRepository,
    CallExpiryService,
    CallPersonalDataService,
    CallTracesRepository,
    CallFiguresRepository,
    CallFiguresService,
  ],
  exports: [
    TwilioProofsService,
    VoiceReadinessService,
    VoiceDispatchService,
    VoiceClientService,
    CallPaceService,
    CallAssistantsService,
    CallFiguresService,
    CallExpiryService,
    CallPersonalDataService,
    CallCapacityService,
    CallPlacementService,
    CallRecoveryService,
    CallEndNotifierService,
    CallEvaluationsService,
    CallSessionsService,
    CallStopsService,
    CallTalks,
    CarrierBreakerService,
    CallsService,
    MediaUpgrades,
    OutboundCallsService,
    RecordingUploadsService,
    RecordingsService,
    VoiceProcessesService,
    WebhookRetentionService,
  ],
})
export class CallsModule {}
