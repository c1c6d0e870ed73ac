import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';
import { ErasureRunnerService } from './erasure-runner.service.js';
import { runErasureJob } from './run-erasure.job.js';

@ProcessorOf(runErasureJob)
export class RunErasureProcessor extends JobProcessor<typeof runErasureJob> {
  constructor(private readonly runner: ErasureRunnerService) {
    super(runErasureJob);
  }

  protected handle({ erasureId }: { erasureId: number }): Promise<unknown> {
    return this.runner.run(erasureId);
  }
}
