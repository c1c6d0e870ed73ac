import type { Feature } from '../../feature.js';
import { WebCallsModule } from './web-calls.module.js';
import { WebCallsVoiceModule } from './web-calls-voice.module.js';

export const webCallsFeature: Feature = {
  module: WebCallsModule,
  voiceModules: [WebCallsVoiceModule],
};
