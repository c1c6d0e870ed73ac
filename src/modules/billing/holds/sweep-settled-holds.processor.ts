import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { BillingService } from '../billing.service.js';
import { sweepSettledHoldsJob } from './sweep-settled-holds.job.js';

@ProcessorOf(sweepSettledHoldsJob)
export class SweepSettledHoldsProcessor extends JobProcessor<typeof sweepSettledHoldsJob> {
  constructor(private readonly billing: BillingService) {
    super(sweepSettledHoldsJob);
  }

  protected handle(): Promise<unknown> {
    return this.billing.sweepSettledHolds();
  }
}
