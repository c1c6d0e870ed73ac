import type { Feature } from '../../feature.js';
import { HealthModule } from './health.module.js';

export const healthFeature: Feature = {
  module: HealthModule,
  tags: [{ name: 'Operations', description: 'Health and metrics, for the operator of this installation.' }],
};
