import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { AuthRetentionService } from '../auth-retention.service.js';
import { sweepLoginsJob } from './sweep-logins.job.js';

@ProcessorOf(sweepLoginsJob)
export class SweepLoginsProcessor extends JobProcessor<typeof sweepLoginsJob> {
  constructor(private readonly retention: AuthRetentionService) {
    super(sweepLoginsJob);
  }

  protected handle(): Promise<unknown> {
    return this.retention.sweep();
  }
}
