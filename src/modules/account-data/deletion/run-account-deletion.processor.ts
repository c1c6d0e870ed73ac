import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { AccountDeletionRunnerService } from './account-deletion-runner.service.js';
import { runAccountDeletionJob } from './run-account-deletion.job.js';

@ProcessorOf(runAccountDeletionJob)
export class RunAccountDeletionProcessor extends JobProcessor<typeof runAccountDeletionJob> {
  constructor(private readonly runner: AccountDeletionRunnerService) {
    super(runAccountDeletionJob);
  }

  protected handle({ deletionId }: { deletionId: number }): Promise<unknown> {
    return this.runner.run(deletionId);
  }
}
