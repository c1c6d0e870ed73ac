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
import { CarrierBreakerRepository } from './carrier-breaker/carrier-breaker.repository.js';
import { CarrierBreakerService } from './carrier-breaker/carrier-breaker.service.js';
import { AnsweredCallService } from './session/answered-call.service.js';
import { CallAssistantsService } from './session/call-assistants.service.js';
import { CallCapacityService } from './placement/call-capacity.service.js';
import { CallRecoveryService } from './session/recovery/call-recovery.service.js';
import { CallCountsRepository } from './listing/call-counts.repository.js';
import { CallCountsService } from './listing/call-counts.service.js';
import { CallCompletionService } from './completion/call-completion.service.js';
import { CallEndNotifierService } from './completion/call-end-notifier.service.js';
import { CallEngineFactory } from './session/call-engine.factory.js';
import { CallEvaluationsService } from './completion/call-evaluations.service.js';
import { CallMetricsService } from './session/call-metrics.service.js';
import { CallHandoffsRepository } from './session/handoffs/call-handoffs.repository.js';
import { CallHandoffsService } from './session/handoffs/call-handoffs.service.js';
import { CallMonitorService } from './session/call-monitor.service.js';
import { CallExportsService } from './listing/call-exports.service.js';
import { CallListRepository } from './listing/call-list.repository.js';
import { CallLeasesService } from './session/leases/call-leases.service.js';
import { CallSessionsService } from './session/call-sessions.service.js';
import { UnansweredCallsRepository } from './completion/unanswered-calls.repository.js';
import { ActiveCallsRepository } from './session/active-calls.repository.js';
import { OrphanedCallsRepository } from './session/recovery/orphaned-calls.repository.js';
import { PlatformLinesRepository } from './placement/platform-lines.repository.js';
import { CallPlacementService } from './placement/call-placement.service.js';
import { CallPaceRepository } from './placement/pace/call-pace.repository.js';
import { CallPaceService } from './placement/pace/call-pace.service.js';
import { CallStopsService } from './session/stops/call-stops.service.js';
import { CallWebhooksService } from './completion/call-webhooks.service.js';
import { RecordingLinksService } from './recordings/recording-links.service.js';
import { RecordingUploadsService } from './recordings/recording-uploads.service.js';
import { RecordingsController } from './recordings/recordings.controller.js';
import { RecordingsRepository } from './recordings/recordings.repository.js';
import { RecordingsService } from './recordings/recordings.service.js';
import { CallNewsService } from './call-news.service.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';
import { TurnMetricsService } from './turns/turn-metrics.service.js';
import { CallFunctionCallsRepository } from './turns/call-function-calls.repository.js';
import { CallFunctionCallsService } from './turns/call-function-calls.service.js';
import { CallTurnsRepository } from './turns/call-turns.repository.js';
import { CallsService } from './calls.service.js';
import { CallFiguresRepository } from './figures/call-figures.repository.js';
import { CallFiguresService } from './figures/call-figures.service.js';
import { CallExpiryRepository } from './personal-data/call-expiry.repository.js';
import { CallExpiryService } from './personal-data/call-expiry.service.js';
import { CallPersonalDataService } from './personal-data/call-personal-data.service.js';
import { CallTracesRepository } from './personal-data/call-traces.repository.js';
import { CallHangupService } from './session/call-hangup.service.js';
import { CallTakeoverService } from './session/recovery/call-takeover.service.js';
import { LineStatesRepository } from './session/recovery/line-states.repository.js';
import { LineHandoverService } from './session/recovery/line-handover.service.js';
import { LineStatesService } from './session/recovery/line-states.service.js';
import { SecondLegsService } from './session/second-legs.service.js';
import { MakeCallController } from './placement/make-call.controller.js';
import { MakeCallService } from './placement/make-call.service.js';
import { OutboundCallsService } from './placement/outbound-calls.service.js';
import { DialledCallsRepository } from './twilio/dialled-calls.repository.js';
import { TwilioCallbacksService } from './twilio/twilio-callbacks.service.js';
import { TwilioProofsService } from './twilio/twilio-proofs.service.js';
import { VoiceClientService } from './voice/voice-client.service.js';
import { VoiceDispatchService } from './voice/voice-dispatch.service.js';
import { VoiceProcessesRepository } from './voice/voice-processes.repository.js';
import { VoiceProcessesService } from './voice/voice-processes.service.js';
import { CallVoicesService } from './turns/call-voices.service.js';
import { VoiceReadinessService } from './voice/voice-readiness.service.js';
import { MediaUpgrades } from './web/media-upgrades.js';
import { WebhookRetentionService } from './completion/webhook-retention.service.js';

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
