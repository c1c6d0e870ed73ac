import { CallSweepService } from './call-sweep.service.js';
import { sweepCallsJob } from './sweep-calls.job.js';
import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';

@ProcessorOf(sweepCallsJob)
export class SweepCallsProcessor extends JobProcessor<typeof sweepCallsJob> {
  constructor(private readonly sweep: CallSweepService) {
    super(sweepCallsJob);
  }

  protected handle(): Promise<unknown> {
    return this.sweep.sweep();
  }
}
