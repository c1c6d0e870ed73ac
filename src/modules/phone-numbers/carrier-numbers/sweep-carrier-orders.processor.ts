import { NumberRentalsService } from './number-rentals.service.js';
import { sweepCarrierOrdersJob } from './sweep-carrier-orders.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(sweepCarrierOrdersJob)
export class SweepCarrierOrdersProcessor extends JobProcessor<typeof sweepCarrierOrdersJob> {
  constructor(private readonly rentals: NumberRentalsService) {
    super(sweepCarrierOrdersJob);
  }

  protected handle(): Promise<unknown> {
    return this.rentals.sweepStaleOrders();
  }
}
