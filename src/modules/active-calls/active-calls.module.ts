import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { ActiveCallsRepository } from './active-calls.repository.js';
import { ActiveCallsService } from './active-calls.service.js';
import { CallAssistantsService } from './call-assistants.service.js';
import { CallCapacityService } from './capacity/call-capacity.service.js';
import { ForwardsRepository } from './capacity/forwards.repository.js';
import { ForwardsService } from './capacity/forwards.service.js';
import { ReservedLinesRepository } from './capacity/reserved-lines.repository.js';
import { ReservedLinesService } from './capacity/reserved-lines.service.js';
import { UnassistedCallsService } from './capacity/unassisted-calls.service.js';
import { VisitorLinesService } from './capacity/visitor-lines.service.js';
import { CallForecastsService } from './call-forecasts.service.js';
import { CallMetricsService } from './call-metrics.service.js';
import { CarrierBreakerRepository } from './carrier-breaker/carrier-breaker.repository.js';
import { CarrierBreakerService } from './carrier-breaker/carrier-breaker.service.js';
import { DialledCallsRepository } from './dialled-calls.repository.js';
import { CallEndsService } from './ends/call-ends.service.js';
import { EndRequestsService } from './ends/end-requests.service.js';
import { HangUpController } from './ends/hang-up.controller.js';
import { UnansweredCallsRepository } from './ends/unanswered-calls.repository.js';
import { CallHandoffsRepository } from './handoffs/call-handoffs.repository.js';
import { CallHandoffsService } from './handoffs/call-handoffs.service.js';
import { CallOwnershipService } from './leases/call-ownership.service.js';
import { LineStatesRepository } from './line-states/line-states.repository.js';
import { LineStatesService } from './line-states/line-states.service.js';
import { OrphanedCallsRepository } from './orphaned-calls.repository.js';
import { ConcurrencySlotsRepository } from './concurrency-slots.repository.js';
import { QueuedCallsRepository } from './queue/queued-calls.repository.js';
import { QueuedCallsService } from './queue/queued-calls.service.js';
import { CallRateLimiter } from './rate-limit/call-rate-limiter.js';
import { CallRateLimitsRepository } from './rate-limit/call-rate-limits.repository.js';

/** Calls for which something is left to do: their rows, leases, capacity, rate limits and circuit breaker. */
@Module({
  imports: [
    AccountsModule,
    AssistantsModule,
    BillingModule,
    CallsModule,
    PhoneNumbersModule,
    TelephonyModule,
  ],
  controllers: [HangUpController],
  providers: [
    ActiveCallsRepository,
    ActiveCallsService,
    CallAssistantsService,
    CallCapacityService,
    CallEndsService,
    CallForecastsService,
    CallHandoffsRepository,
    CallHandoffsService,
    CallMetricsService,
    CallOwnershipService,
    CallRateLimiter,
    CallRateLimitsRepository,
    CarrierBreakerRepository,
    CarrierBreakerService,
    DialledCallsRepository,
    EndRequestsService,
    ForwardsRepository,
    ForwardsService,
    LineStatesRepository,
    LineStatesService,
    OrphanedCallsRepository,
    ConcurrencySlotsRepository,
    QueuedCallsRepository,
    QueuedCallsService,
    ReservedLinesRepository,
    ReservedLinesService,
    UnansweredCallsRepository,
    UnassistedCallsService,
    VisitorLinesService,
  ],
  exports: [
    ActiveCallsService,
    CallAssistantsService,
    CallCapacityService,
    CallEndsService,
    CallForecastsService,
    CallHandoffsService,
    CallMetricsService,
    CallOwnershipService,
    CallRateLimiter,
    CarrierBreakerService,
    EndRequestsService,
    ForwardsService,
    LineStatesService,
    QueuedCallsService,
    ReservedLinesService,
    UnassistedCallsService,
  ],
})
export class ActiveCallsModule {}
