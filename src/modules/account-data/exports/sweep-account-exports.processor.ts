import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { AccountExportRunnerService } from './account-export-runner.service.js';
import { sweepAccountExportsJob } from './sweep-account-exports.job.js';

@ProcessorOf(sweepAccountExportsJob)
export class SweepAccountExportsProcessor extends JobProcessor<typeof sweepAccountExportsJob> {
  constructor(private readonly runner: AccountExportRunnerService) {
    super(sweepAccountExportsJob);
  }

  protected handle(): Promise<unknown> {
    return this.runner.sweep();
  }
}
