import type { Feature } from '../../feature.js';
import { AnalyticsModule } from './analytics.module.js';

export const analyticsFeature: Feature = {
  module: AnalyticsModule,
  errorExamples: [
    { operation: /\/assistant\/\{id\}\/call-estimate/, status: 404, text: 'assistants.not_found' },
  ],
  tags: [
    {
      name: 'Analytics',
      description: 'What calls and conversations come to: counts, outcomes, cost, tokens and waits.',
    },
  ],
};
