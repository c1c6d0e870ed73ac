import { Module } from '@nestjs/common';
import { SpeechModule } from '../../providers/speech/speech.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { VoiceSamplesController } from './voice-samples.controller.js';
import { VoiceSamplesService } from './voice-samples.service.js';

@Module({
  imports: [CatalogModule, SpeechModule, VoiceWorkersModule],
  controllers: [VoiceSamplesController],
  providers: [VoiceSamplesService],
})
export class VoiceSamplesModule {}
