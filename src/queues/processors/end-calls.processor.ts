import { CallStopsService } from '../../modules/calls/call-stops.service.js';
import { endCallsJob } from '../definitions/end-calls.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(endCallsJob)
export class EndCallsProcessor extends JobProcessor<typeof endCallsJob> {
  constructor(private readonly stops: CallStopsService) {
    super(endCallsJob);
  }

  protected handle(): Promise<unknown> {
    return this.stops.endRequested();
  }
}
