import type { Feature } from '../../feature.js';
import { BillingModule } from './billing.module.js';
import { sweepHoldsJob } from './holds/sweep-holds.job.js';
import { sweepSettledHoldsJob } from './holds/sweep-settled-holds.job.js';

export const billingFeature: Feature = {
  module: BillingModule,
  jobs: [sweepHoldsJob, sweepSettledHoldsJob],
  tags: [{ name: 'Billing', description: 'Ledger and limits of the account.' }],
};
