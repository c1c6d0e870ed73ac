import type { Feature } from '../../feature.js';
import { AuthModule } from './auth.module.js';
import { sweepLoginsJob } from './passwords/sweep-logins.job.js';
import { SweepLoginsProcessor } from './passwords/sweep-logins.processor.js';

export const authFeature: Feature = {
  module: AuthModule,
  jobs: [{ definition: sweepLoginsJob, processor: SweepLoginsProcessor }],
  tags: [
    {
      name: 'Sessions',
      description: 'Login, logout and passwords. A session token opens `/api/user/…` as a key does.',
    },
  ],
};
