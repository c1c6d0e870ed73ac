import { FileCleanupsService } from '../../modules/knowledgebases/file-cleanups.service.js';
import { deleteFilesJob } from '../definitions/delete-files.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(deleteFilesJob)
export class DeleteFilesProcessor extends JobProcessor<typeof deleteFilesJob> {
  constructor(private readonly cleanups: FileCleanupsService) {
    super(deleteFilesJob);
  }

  protected handle(): Promise<unknown> {
    return this.cleanups.sweep();
  }
}
