import { Module } from '@nestjs/common';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { SpeechModule } from '../../providers/speech/speech.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { CallsModule } from './calls.module.js';
import { WebCallGatewayService } from './web/web-call-gateway.service.js';
import { CallVoiceService } from './session/call-voice.service.js';
import { InboundCallsService } from './session/inbound-calls.service.js';

/** What the worker role alone does for calls: it takes those that come in. */
@Module({
  imports: [AssistantsModule, CallsModule, LlmModule, PhoneNumbersModule, SpeechModule, TelephonyModule],
  providers: [CallVoiceService, InboundCallsService, WebCallGatewayService],
  exports: [CallsModule],
})
export class CallWorkersModule {}
