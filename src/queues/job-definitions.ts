import { dialCampaignsJob } from './definitions/dial-campaigns.job.js';
import { leadOutcomeJob } from './definitions/lead-outcome.job.js';
import { sweepCarrierOrdersJob } from './definitions/sweep-carrier-orders.job.js';
import { sweepDialsJob } from './definitions/sweep-dials.job.js';
import { sweepHoldsJob } from './definitions/sweep-holds.job.js';
import { sweepIdempotencyKeysJob } from './definitions/sweep-idempotency-keys.job.js';
import type { JobDefinition } from './job-definition.js';

/** Every kind of job there is. The worker role refuses to start when one has no processor. */
export const jobDefinitions: readonly JobDefinition[] = [
  dialCampaignsJob,
  leadOutcomeJob,
  sweepCarrierOrdersJob,
  sweepDialsJob,
  sweepHoldsJob,
  sweepIdempotencyKeysJob,
];
