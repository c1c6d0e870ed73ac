import type { Feature } from '../../feature.js';
import { OutboundCallsModule } from './outbound-calls.module.js';

export const outboundCallsFeature: Feature = { module: OutboundCallsModule };
