import type { Feature } from '../../feature.js';
import { AnalyticsModule } from './analytics.module.js';

export const analyticsFeature: Feature = {
  module: AnalyticsModule,
  tags: [
    {
      name: 'Analytics',
      description: 'What calls and conversations come to: counts, outcomes, cost, tokens and waits.',
    },
  ],
};
