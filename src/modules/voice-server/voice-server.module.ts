import { Module } from '@nestjs/common';
import { SpeechModule } from '../../providers/speech/speech.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallVoiceService } from './call-voice.service.js';
import { TwilioLinesService } from './twilio-lines.service.js';
import { VoiceServerService } from './voice-server.service.js';

/** The voice role: speaks on audio calls and takes the requests of other processes for them. */
@Module({
  imports: [CallsModule, SpeechModule, TelephonyModule],
  providers: [CallVoiceService, TwilioLinesService, VoiceServerService],
})
export class VoiceServerModule {}
