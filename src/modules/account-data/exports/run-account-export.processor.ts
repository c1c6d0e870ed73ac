import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { AccountExportRunnerService } from './account-export-runner.service.js';
import { runAccountExportJob } from './run-account-export.job.js';

@ProcessorOf(runAccountExportJob)
export class RunAccountExportProcessor extends JobProcessor<typeof runAccountExportJob> {
  constructor(private readonly runner: AccountExportRunnerService) {
    super(runAccountExportJob);
  }

  protected handle({ exportId }: { exportId: number }): Promise<unknown> {
    return this.runner.run(exportId);
  }
}
