import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { RecordingsService } from './recordings.service.js';
import { sweepRecordingsJob } from './sweep-recordings.job.js';

@ProcessorOf(sweepRecordingsJob)
export class SweepRecordingsProcessor extends JobProcessor<typeof sweepRecordingsJob> {
  constructor(private readonly recordings: RecordingsService) {
    super(sweepRecordingsJob);
  }

  protected handle(): Promise<unknown> {
    return this.recordings.sweep();
  }
}
