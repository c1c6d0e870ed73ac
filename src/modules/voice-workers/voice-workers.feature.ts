import type { Feature } from '../../feature.js';
import { VoiceWorkersModule } from './voice-workers.module.js';

export const voiceWorkersFeature: Feature = { module: VoiceWorkersModule };
