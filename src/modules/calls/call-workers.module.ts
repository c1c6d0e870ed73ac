import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { CallsModule } from './calls.module.js';
import { WebCallGatewayService } from './web/web-call-gateway.service.js';
import { InboundCallsService } from './session/inbound-calls.service.js';

/** What the worker role alone does for calls: it takes those that come in. */
@Module({
  imports: [AssistantsModule, CallsModule, PhoneNumbersModule, TelephonyModule],
  providers: [InboundCallsService, WebCallGatewayService],
  exports: [CallsModule],
})
export class CallWorkersModule {}
