import { CallRecoveryService } from './call-recovery.service.js';
import { sweepCallsJob } from './sweep-calls.job.js';
import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';

@ProcessorOf(sweepCallsJob)
export class SweepCallsProcessor extends JobProcessor<typeof sweepCallsJob> {
  constructor(private readonly recovery: CallRecoveryService) {
    super(sweepCallsJob);
  }

  protected handle(): Promise<unknown> {
    return this.recovery.sweep();
  }
}
