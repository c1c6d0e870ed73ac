import { CallStopsService } from './call-stops.service.js';
import { endCallsJob } from '../../active-calls/ends/end-calls.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(endCallsJob)
export class EndCallsProcessor extends JobProcessor<typeof endCallsJob> {
  constructor(private readonly stops: CallStopsService) {
    super(endCallsJob);
  }

  protected handle(): Promise<unknown> {
    return this.stops.endRequested();
  }
}
