import { JobProcessor } from '#src/queues/job-processor.js';
import { ProcessorOf } from '#src/queues/processor-of.js';
import { DialRetentionService } from './dial-retention.service.js';
import { sweepSettledAttemptsJob } from './sweep-settled-attempts.job.js';

@ProcessorOf(sweepSettledAttemptsJob)
export class SweepSettledAttemptsProcessor extends JobProcessor<typeof sweepSettledAttemptsJob> {
  constructor(private readonly retention: DialRetentionService) {
    super(sweepSettledAttemptsJob);
  }

  protected handle(): Promise<unknown> {
    return this.retention.sweep();
  }
}
