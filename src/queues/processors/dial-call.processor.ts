import { CallCare } from '../../modules/calls/call-care.service.js';
import { dialCallJob } from '../definitions/dial-call.job.js';
import { JobProcessor } from '../job-processor.js';
import type { PayloadOf } from '../job-definition.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(dialCallJob)
export class DialCallProcessor extends JobProcessor<typeof dialCallJob> {
  constructor(private readonly care: CallCare) {
    super(dialCallJob);
  }

  protected handle({ callId }: PayloadOf<typeof dialCallJob>): Promise<unknown> {
    return this.care.lookAfter(callId);
  }
}
