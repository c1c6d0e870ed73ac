import type { Feature } from '../../feature.js';
import { InboundCallsModule } from './inbound-calls.module.js';

export const inboundCallsFeature: Feature = {
  workerModules: [InboundCallsModule],
  voiceModules: [InboundCallsModule],
};
