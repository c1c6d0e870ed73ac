import { BillingService } from '../billing.service.js';
import { sweepHoldsJob } from './sweep-holds.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(sweepHoldsJob)
export class SweepHoldsProcessor extends JobProcessor<typeof sweepHoldsJob> {
  constructor(private readonly billing: BillingService) {
    super(sweepHoldsJob);
  }

  protected handle(): Promise<unknown> {
    return this.billing.sweepStaleHolds();
  }
}
