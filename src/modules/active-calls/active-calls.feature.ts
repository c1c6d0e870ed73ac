import type { Feature } from '../../feature.js';
import { ActiveCallsModule } from './active-calls.module.js';

export const activeCallsFeature: Feature = { module: ActiveCallsModule };
