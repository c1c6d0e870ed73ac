import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { InboundRoutesService } from './inbound-routes.service.js';

/** Takes calls that come in: in workers those in words, in voice processes those with sound. */
@Module({
  imports: [AssistantsModule, CallsModule, PhoneNumbersModule, TelephonyModule],
  providers: [InboundCallsService, InboundRoutesService],
})
export class InboundCallsModule {}
