import { BillingService } from '../../modules/billing/billing.service.js';
import { sweepHoldsJob } from '../definitions/sweep-holds.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(sweepHoldsJob)
export class SweepHoldsProcessor extends JobProcessor<typeof sweepHoldsJob> {
  constructor(private readonly billing: BillingService) {
    super(sweepHoldsJob);
  }

  protected handle(): Promise<unknown> {
    return this.billing.sweepStaleHolds();
  }
}
