import { CallEvaluationsService } from './call-evaluations.service.js';
import { evaluateCallJob } from './evaluate-call.job.js';
import { JobProcessor } from '../../queues/job-processor.js';
import type { PayloadOf } from '../../queues/job-definition.js';
import { ProcessorOf } from '../../queues/processor-of.js';

@ProcessorOf(evaluateCallJob)
export class EvaluateCallProcessor extends JobProcessor<typeof evaluateCallJob> {
  constructor(private readonly evaluations: CallEvaluationsService) {
    super(evaluateCallJob);
  }

  protected handle({ callId }: PayloadOf<typeof evaluateCallJob>): Promise<unknown> {
    return this.evaluations.complete(callId);
  }
}
