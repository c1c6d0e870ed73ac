import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '../../common/time/clock.js';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { DoNotCallModule } from '../do-not-call/do-not-call.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CarrierBreakerRepository } from './carrier-breaker/carrier-breaker.repository.js';
import { CarrierBreakerService } from './carrier-breaker/carrier-breaker.service.js';
import { CallAssistants } from './call-assistants.service.js';
import { CallCapacity } from './call-capacity.service.js';
import { CallCare } from './call-care.service.js';
import { CallCountsRepository } from './call-counts.repository.js';
import { CallCountsService } from './call-counts.service.js';
import { CallEndings } from './call-endings.service.js';
import { CallEnds } from './call-ends.service.js';
import { CallEngines } from './call-engines.service.js';
import { CallEvaluations } from './call-evaluations.service.js';
import { CallFollowing } from './call-following.service.js';
import { CallListRepository } from './call-list.repository.js';
import { CallRunner } from './call-runner.service.js';
import { CallRunsRepository } from './call-runs.repository.js';
import { CallSending } from './call-sending.service.js';
import { CallStopsService } from './call-stops.service.js';
import { CallWebhooks } from './call-webhooks.service.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';
import { LineEnds } from './line-ends.service.js';
import { MakeCallController } from './make-call.controller.js';
import { MakeCallService } from './make-call.service.js';
import { OutboundCalls } from './outbound-calls.js';
import { WebhookRetention } from './webhook-retention.service.js';

@Module({
  imports: [
    AccountsModule,
    AssistantsModule,
    BillingModule,
    DoNotCallModule,
    LlmModule,
    PhoneNumbersModule,
    TelephonyModule,
    WebhooksModule,
  ],
  controllers: [CallsController, MakeCallController],
  providers: [
    CallAssistants,
    CallCapacity,
    CallCare,
    CallCountsRepository,
    CallCountsService,
    CallEndings,
    CallEnds,
    CallEngines,
    CallEvaluations,
    CallFollowing,
    CallListRepository,
    CallRunner,
    CallRunsRepository,
    CallSending,
    CallStopsService,
    CallWebhooks,
    CarrierBreakerRepository,
    CarrierBreakerService,
    CallsRepository,
    CallsService,
    { provide: Clock, useFactory: () => new SystemClock() },
    LineEnds,
    MakeCallService,
    OutboundCalls,
    WebhookRetention,
  ],
  exports: [
    CallCapacity,
    CallCare,
    CallEnds,
    CallEvaluations,
    CallRunner,
    CallStopsService,
    CarrierBreakerService,
    CallsService,
    OutboundCalls,
    WebhookRetention,
  ],
})
export class CallsModule {}
