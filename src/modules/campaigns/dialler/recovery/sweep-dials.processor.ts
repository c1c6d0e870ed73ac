import { DialRecoveryService } from './dial-recovery.service.js';
import { sweepDialsJob } from './sweep-dials.job.js';
import { JobProcessor } from '#src/queues/job-processor.js';
import { ProcessorOf } from '#src/queues/processor-of.js';

@ProcessorOf(sweepDialsJob)
export class SweepDialsProcessor extends JobProcessor<typeof sweepDialsJob> {
  constructor(private readonly recovery: DialRecoveryService) {
    super(sweepDialsJob);
  }

  protected handle(): Promise<unknown> {
    return this.recovery.sweep();
  }
}
