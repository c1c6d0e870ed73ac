import type { Feature } from '../../feature.js';
import { BillingModule } from './billing.module.js';
import { sweepHoldsJob } from './holds/sweep-holds.job.js';
import { SweepHoldsProcessor } from './holds/sweep-holds.processor.js';
import { sweepSettledHoldsJob } from './holds/sweep-settled-holds.job.js';
import { SweepSettledHoldsProcessor } from './holds/sweep-settled-holds.processor.js';

export const billingFeature: Feature = {
  module: BillingModule,
  jobs: [
    { definition: sweepHoldsJob, processor: SweepHoldsProcessor },
    { definition: sweepSettledHoldsJob, processor: SweepSettledHoldsProcessor },
  ],
  tags: [{ name: 'Billing', description: 'Ledger and limits of the account.' }],
};
