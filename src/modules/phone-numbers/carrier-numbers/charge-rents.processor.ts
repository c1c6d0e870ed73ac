import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { chargeRentsJob } from './charge-rents.job.js';
import { NumberRentsService } from './number-rents.service.js';

@ProcessorOf(chargeRentsJob)
export class ChargeRentsProcessor extends JobProcessor<typeof chargeRentsJob> {
  constructor(private readonly rents: NumberRentsService) {
    super(chargeRentsJob);
  }

  protected handle(): Promise<unknown> {
    return this.rents.chargeDue();
  }
}
