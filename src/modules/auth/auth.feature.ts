import type { Feature } from '../../feature.js';
import { AuthModule } from './auth.module.js';
import { answerPasswordRequestJob } from './password-links/requests/answer-password-request.job.js';
import { sweepPasswordRequestsJob } from './password-links/requests/sweep-password-requests.job.js';
import { sweepLoginsJob } from './passwords/sweep-logins.job.js';

export const authFeature: Feature = {
  module: AuthModule,
  jobs: [answerPasswordRequestJob, sweepLoginsJob, sweepPasswordRequestsJob],
  tags: [
    {
      name: 'Sessions',
      description: 'Login, logout and passwords. A session token opens `/api/user/…` as a key does.',
    },
  ],
};
