import type { Feature } from '../../feature.js';
import { PrivacyModule } from './privacy.module.js';
import { sweepRetentionJob } from './retention/sweep-retention.job.js';
import { SweepRetentionProcessor } from './retention/sweep-retention.processor.js';
import { sweepErasuresJob } from './sweep-erasures.job.js';
import { SweepErasuresProcessor } from './sweep-erasures.processor.js';

export const privacyFeature: Feature = {
  module: PrivacyModule,
  jobs: [
    { definition: sweepErasuresJob, processor: SweepErasuresProcessor },
    { definition: sweepRetentionJob, processor: SweepRetentionProcessor },
  ],
  tags: [{ name: 'Privacy', description: 'What is held about a person, given out and erased.' }],
};
