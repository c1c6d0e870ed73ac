import { CallCare } from '../../modules/calls/call-care.service.js';
import { sweepCallsJob } from '../definitions/sweep-calls.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(sweepCallsJob)
export class SweepCallsProcessor extends JobProcessor<typeof sweepCallsJob> {
  constructor(private readonly care: CallCare) {
    super(sweepCallsJob);
  }

  protected handle(): Promise<unknown> {
    return this.care.sweep();
  }
}
