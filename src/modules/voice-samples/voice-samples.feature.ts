import type { Feature } from '../../feature.js';
import { VoiceSamplesModule } from './voice-samples.module.js';
import { voiceSamplesTexts } from './voice-samples.texts.js';

const operation = /\/voices\/\{id\}\/sample/;

export const voiceSamplesFeature: Feature = {
  module: VoiceSamplesModule,
  texts: voiceSamplesTexts,
  errorExamples: [
    { operation, status: 404, text: voiceSamplesTexts('voice_samples.not_found') },
    { operation, status: 409, text: voiceSamplesTexts('voice_samples.no_key') },
    { operation, status: 503, text: voiceSamplesTexts('voice_samples.not_spoken') },
  ],
};
