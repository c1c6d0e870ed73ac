import { CallRecoveryService } from './call-recovery.service.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import { JobProcessor } from '../../queues/job-processor.js';
import type { PayloadOf } from '../../queues/job-definition.js';
import { ProcessorOf } from '../../queues/processor-of.js';

@ProcessorOf(dialCallJob)
export class DialCallProcessor extends JobProcessor<typeof dialCallJob> {
  constructor(private readonly recovery: CallRecoveryService) {
    super(dialCallJob);
  }

  protected handle({ callId }: PayloadOf<typeof dialCallJob>): Promise<unknown> {
    return this.recovery.lookAfter(callId);
  }
}
