import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';
import { FileCleanupsService } from './file-cleanups.service.js';
import { sweepUnfinishedFilesJob } from './sweep-unfinished-files.job.js';

@ProcessorOf(sweepUnfinishedFilesJob)
export class SweepUnfinishedFilesProcessor extends JobProcessor<typeof sweepUnfinishedFilesJob> {
  constructor(private readonly cleanups: FileCleanupsService) {
    super(sweepUnfinishedFilesJob);
  }

  protected handle(): Promise<unknown> {
    return this.cleanups.sweepUnfinished();
  }
}
