import type { Feature } from '../../feature.js';
import { AuthModule } from './auth.module.js';
import { sweepLoginsJob } from './passwords/sweep-logins.job.js';

export const authFeature: Feature = {
  module: AuthModule,
  jobs: [sweepLoginsJob],
  tags: [
    {
      name: 'Sessions',
      description: 'Login, logout and passwords. A session token opens `/api/user/…` as a key does.',
    },
  ],
};
