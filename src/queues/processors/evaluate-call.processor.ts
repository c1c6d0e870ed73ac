import { CallEvaluations } from '../../modules/calls/call-evaluations.service.js';
import { evaluateCallJob } from '../definitions/evaluate-call.job.js';
import { JobProcessor } from '../job-processor.js';
import type { PayloadOf } from '../job-definition.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(evaluateCallJob)
export class EvaluateCallProcessor extends JobProcessor<typeof evaluateCallJob> {
  constructor(private readonly evaluations: CallEvaluations) {
    super(evaluateCallJob);
  }

  protected handle({ callId }: PayloadOf<typeof evaluateCallJob>): Promise<unknown> {
    return this.evaluations.complete(callId);
  }
}
