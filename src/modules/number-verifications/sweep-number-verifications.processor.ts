import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';
import { NumberVerificationsService } from './number-verifications.service.js';
import { sweepNumberVerificationsJob } from './sweep-number-verifications.job.js';

@ProcessorOf(sweepNumberVerificationsJob)
export class SweepNumberVerificationsProcessor extends JobProcessor<typeof sweepNumberVerificationsJob> {
  constructor(private readonly verifications: NumberVerificationsService) {
    super(sweepNumberVerificationsJob);
  }

  protected handle(): Promise<unknown> {
    return this.verifications.sweep();
  }
}
