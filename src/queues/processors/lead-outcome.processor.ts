import type { z } from 'zod';
import { LeadOutcomes } from '../../modules/campaigns/dialler/lead-outcomes.js';
import { leadOutcomeJob } from '../definitions/lead-outcome.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(leadOutcomeJob)
export class LeadOutcomeProcessor extends JobProcessor<typeof leadOutcomeJob> {
  constructor(private readonly outcomes: LeadOutcomes) {
    super(leadOutcomeJob);
  }

  protected handle({ callId }: z.output<typeof leadOutcomeJob.schema>): Promise<unknown> {
    return this.outcomes.settle(callId);
  }
}
