import { FileCleanupsService } from './file-cleanups.service.js';
import { deleteFilesJob } from './delete-files.job.js';
import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';

@ProcessorOf(deleteFilesJob)
export class DeleteFilesProcessor extends JobProcessor<typeof deleteFilesJob> {
  constructor(private readonly cleanups: FileCleanupsService) {
    super(deleteFilesJob);
  }

  protected handle(): Promise<unknown> {
    return this.cleanups.sweep();
  }
}
