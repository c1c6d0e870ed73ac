import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { AccountDeletionRunnerService } from './account-deletion-runner.service.js';
import { sweepAccountDeletionsJob } from './sweep-account-deletions.job.js';

@ProcessorOf(sweepAccountDeletionsJob)
export class SweepAccountDeletionsProcessor extends JobProcessor<typeof sweepAccountDeletionsJob> {
  constructor(private readonly runner: AccountDeletionRunnerService) {
    super(sweepAccountDeletionsJob);
  }

  protected handle(): Promise<unknown> {
    return this.runner.wakeDue();
  }
}
