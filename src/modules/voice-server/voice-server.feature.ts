import type { Feature } from '../../feature.js';
import { VoiceServerModule } from './voice-server.module.js';

export const voiceServerFeature: Feature = { voiceModules: [VoiceServerModule] };
