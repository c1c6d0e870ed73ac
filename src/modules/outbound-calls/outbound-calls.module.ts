import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '../../common/time/clock.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CallCompletionModule } from '../call-completion/call-completion.module.js';
import { CallSessionsModule } from '../call-sessions/call-sessions.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { DoNotCallModule } from '../do-not-call/do-not-call.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { CallAbandonmentService } from './call-abandonment.service.js';
import { CallPlacementService } from './call-placement.service.js';
import { MakeCallController } from './make-call.controller.js';
import { MakeCallService } from './make-call.service.js';
import { OutboundCallsService } from './outbound-calls.service.js';
import { CallerNumbersService } from './caller-numbers.service.js';
import { CallReservationsService } from './call-reservations.service.js';
import { CallRoutesService } from './call-routes.service.js';
import { CalleeAdmissionService } from './callee-admission.service.js';
import { CallDiallingService } from './dialling/call-dialling.service.js';
import { CarrierLookupService } from './dialling/carrier-lookup.service.js';
import { DialPolicyService } from './dialling/dial-policy.service.js';
import { DialRequestsService } from './dialling/dial-requests.service.js';
import { LostCallsService } from './dialling/lost-calls.service.js';
import { UnplacedCallsService } from './dialling/unplaced-calls.service.js';

/** Outbound calls: reserved in a transaction, then placed with the carrier. */
@Module({
  imports: [
    AccountsModule,
    ActiveCallsModule,
    AssistantsModule,
    BillingModule,
    CallCompletionModule,
    CallSessionsModule,
    CallsModule,
    DoNotCallModule,
    PhoneNumbersModule,
    TelephonyModule,
    VoiceWorkersModule,
  ],
  controllers: [MakeCallController],
  providers: [
    CallAbandonmentService,
    CallDiallingService,
    CalleeAdmissionService,
    CarrierLookupService,
    CallRoutesService,
    CallReservationsService,
    CallerNumbersService,
    { provide: Clock, useFactory: () => new SystemClock() },
    CallPlacementService,
    DialPolicyService,
    DialRequestsService,
    LostCallsService,
    MakeCallService,
    OutboundCallsService,
    UnplacedCallsService,
  ],
  exports: [CallAbandonmentService, CallPlacementService, OutboundCallsService],
})
export class OutboundCallsModule {}
