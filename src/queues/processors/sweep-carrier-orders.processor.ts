import { NumberRentalsService } from '../../modules/phone-numbers/number-rentals.service.js';
import { sweepCarrierOrdersJob } from '../definitions/sweep-carrier-orders.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(sweepCarrierOrdersJob)
export class SweepCarrierOrdersProcessor extends JobProcessor<typeof sweepCarrierOrdersJob> {
  constructor(private readonly rentals: NumberRentalsService) {
    super(sweepCarrierOrdersJob);
  }

  protected handle(): Promise<unknown> {
    return this.rentals.sweepStaleOrders();
  }
}
