import { Module } from '@nestjs/common';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { SpeechModule } from '../../providers/speech/speech.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { CallsModule } from './calls.module.js';
import { InboundCallsModule } from '../inbound-calls/inbound-calls.module.js';
import { CallVoiceService } from '../voice-server/call-voice.service.js';
import { TwilioLinesService } from '../voice-server/twilio-lines.service.js';
import { VoiceServerService } from '../voice-server/voice-server.service.js';
import { RoomCallsService } from '../web-calls/room-calls.service.js';
import { WebCallAdmissionService } from '../web-calls/web-call-admission.service.js';
import { WebCallGatewayService } from '../web-calls/web-call-gateway.service.js';

/** What the voice role alone does for calls: it speaks and listens on those with sound. */
@Module({
  imports: [CallsModule, InboundCallsModule, LlmModule, SpeechModule, TelephonyModule],
  providers: [
    CallVoiceService,
    RoomCallsService,
    TwilioLinesService,
    VoiceServerService,
    WebCallAdmissionService,
    WebCallGatewayService,
  ],
})
export class CallVoiceModule {}
