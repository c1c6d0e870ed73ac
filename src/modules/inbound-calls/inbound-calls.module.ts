import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { NumberVerificationsModule } from '../number-verifications/number-verifications.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { InboundRoutesService } from './inbound-routes.service.js';

/** Answers incoming calls: text calls in workers, audio calls in voice processes. */
@Module({
  imports: [AssistantsModule, CallsModule, NumberVerificationsModule, PhoneNumbersModule, TelephonyModule],
  providers: [InboundCallsService, InboundRoutesService],
})
export class InboundCallsModule {}
