import { Module } from '@nestjs/common';
import { SessionFactoriesModule } from '../../runtime/call/session-factories.module.js';
import { Clock, SystemClock } from '../../common/time/clock.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { DoNotCallModule } from '../do-not-call/do-not-call.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { NumberVerificationsController } from './number-verifications.controller.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';
import { NumberVerificationsService } from './number-verifications.service.js';
import { VerificationAdmissionService } from './verification-admission.service.js';
import { VerificationCallersService } from './calling/verification-callers.service.js';
import { VerificationCallsService } from './calling/verification-calls.service.js';
import { VerificationGuardService } from './verification-guard.service.js';
import { VerificationLimitsService } from './verification-limits.service.js';
import { VerificationPersonalDataService } from './verification-personal-data.service.js';
import { VerificationRequestsService } from './verification-requests.service.js';
import { VerificationConfirmationsService } from './verification-confirmations.service.js';
import { VerificationChargesService } from './calling/verification-charges.service.js';
import { VerificationDiallerService } from './calling/verification-dialler.service.js';

@Module({
  imports: [
    SessionFactoriesModule,
    AccountsModule,
    ActiveCallsModule,
    BillingModule,
    CallsModule,
    DoNotCallModule,
    PhoneNumbersModule,
    TelephonyModule,
  ],
  controllers: [NumberVerificationsController],
  providers: [
    VerificationDiallerService,
    VerificationChargesService,
    VerificationConfirmationsService,
    VerificationRequestsService,
    { provide: Clock, useFactory: () => new SystemClock() },
    NumberVerificationsRepository,
    NumberVerificationsService,
    VerificationAdmissionService,
    VerificationCallersService,
    VerificationCallsService,
    VerificationGuardService,
    VerificationLimitsService,
    VerificationPersonalDataService,
  ],
  exports: [VerificationGuardService, VerificationPersonalDataService],
})
export class NumberVerificationsModule {}
