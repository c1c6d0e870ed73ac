import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { RetentionService } from './retention.service.js';
import { sweepRetentionJob } from './sweep-retention.job.js';

@ProcessorOf(sweepRetentionJob)
export class SweepRetentionProcessor extends JobProcessor<typeof sweepRetentionJob> {
  constructor(private readonly retention: RetentionService) {
    super(sweepRetentionJob);
  }

  protected handle(): Promise<unknown> {
    return this.retention.sweep();
  }
}
