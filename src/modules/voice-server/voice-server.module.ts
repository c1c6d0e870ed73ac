import { Module } from '@nestjs/common';
import { SessionFactoriesModule } from '../../runtime/call/session-factories.module.js';
import { SpeechModule } from '../../providers/speech/speech.module.js';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CallSessionsModule } from '../call-sessions/call-sessions.module.js';
import { OutboundCallsModule } from '../outbound-calls/outbound-calls.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { CallVoiceService } from './call-voice.service.js';
import { TwilioLinesService } from './twilio-lines.service.js';
import { VoiceServerService } from './voice-server.service.js';
import { VoiceRequestsService } from './voice-requests.service.js';
import { SpokenSamplesService } from './spoken-samples.service.js';
import { VoiceServerMetricsService } from './voice-server-metrics.service.js';

/** The voice role: speaks on audio calls and takes the requests of other processes for them. */
@Module({
  imports: [
    SessionFactoriesModule,
    CallSessionsModule,
    CallsModule,
    OutboundCallsModule,
    SpeechModule,
    TelephonyModule,
    VoiceWorkersModule,
  ],
  providers: [
    VoiceServerMetricsService,
    VoiceRequestsService,
    CallVoiceService,
    TwilioLinesService,
    SpokenSamplesService,
    VoiceServerService,
  ],
})
export class VoiceServerModule {}
