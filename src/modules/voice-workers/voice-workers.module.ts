import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { MediaUpgrades } from './media-upgrades.js';
import { TwilioCallbacksService } from './twilio/twilio-callbacks.service.js';
import { TwilioFallbackService } from './twilio/twilio-fallback.service.js';
import { TwilioProofsService } from './twilio/twilio-proofs.service.js';
import { VoiceClientService } from './voice-client.service.js';
import { VoiceDispatchService } from './voice-dispatch.service.js';
import { VoiceProcessesRepository } from './voice-processes.repository.js';
import { VoiceProcessesService } from './voice-processes.service.js';
import { VoiceReadinessService } from './voice-readiness.service.js';

/** The voice processes of the installation: which there are, and how the others reach them. */
@Module({
  imports: [ActiveCallsModule, TelephonyModule],
  providers: [
    MediaUpgrades,
    TwilioCallbacksService,
    TwilioFallbackService,
    TwilioProofsService,
    VoiceClientService,
    VoiceDispatchService,
    VoiceProcessesRepository,
    VoiceProcessesService,
    VoiceReadinessService,
  ],
  exports: [
    MediaUpgrades,
    TwilioProofsService,
    VoiceClientService,
    VoiceDispatchService,
    VoiceProcessesService,
    VoiceReadinessService,
  ],
})
export class VoiceWorkersModule {}
