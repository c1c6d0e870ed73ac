import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';
import { ErasureRunnerService } from './erasure-runner.service.js';
import { sweepErasuresJob } from './sweep-erasures.job.js';

@ProcessorOf(sweepErasuresJob)
export class SweepErasuresProcessor extends JobProcessor<typeof sweepErasuresJob> {
  constructor(private readonly runner: ErasureRunnerService) {
    super(sweepErasuresJob);
  }

  protected handle(): Promise<unknown> {
    return this.runner.runDue();
  }
}
