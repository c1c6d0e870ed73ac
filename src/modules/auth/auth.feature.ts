import type { Feature } from '../../feature.js';
import { AuthModule } from './auth.module.js';
import { answerPasswordRequestJob } from './password-links/requests/answer-password-request.job.js';
import { sweepPasswordRequestsJob } from './password-links/requests/sweep-password-requests.job.js';
import { sweepLoginsJob } from './passwords/sweep-logins.job.js';

export const authFeature: Feature = {
  module: AuthModule,
  jobs: [answerPasswordRequestJob, sweepLoginsJob, sweepPasswordRequestsJob],
  errorExamples: [
    {
      operation: /^post \/api\/auth\/(join|login|password\/(forgot|reset))$/,
      status: 403,
      text: 'auth.password_sign_in_off',
    },
    { operation: /^post \/api\/auth\/password\/forgot$/, status: 409, text: 'emails.not_configured' },
    { operation: /^post \/api\/auth\/oidc\/link$/, status: 401, text: 'auth.bad_credentials' },
    { operation: /^post \/api\/auth\/oidc\/link$/, status: 404, text: 'auth.oidc_no_pending_link' },
    { operation: /^post \/api\/auth\/(oidc|session)\/link$/, status: 403, text: 'http.foreign_origin' },
    { operation: /^post \/api\/auth\/session\/link$/, status: 404, text: 'auth.password_link_not_found' },
  ],
  tags: [
    {
      name: 'Sessions',
      description: 'Login, logout and passwords. A session token opens `/api/user/…` as a key does.',
    },
  ],
};
