import { NumberReturnsService } from './number-returns.service.js';
import { sweepCarrierOrdersJob } from './sweep-carrier-orders.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(sweepCarrierOrdersJob)
export class SweepCarrierOrdersProcessor extends JobProcessor<typeof sweepCarrierOrdersJob> {
  constructor(private readonly returns: NumberReturnsService) {
    super(sweepCarrierOrdersJob);
  }

  protected handle(): Promise<unknown> {
    return this.returns.sweepStaleOrders();
  }
}
