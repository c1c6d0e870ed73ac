import { JobProcessor } from '#src/queues/job-processor.js';
import { ProcessorOf } from '#src/queues/processor-of.js';
import { LeadRefusalsService } from './lead-refusals.service.js';
import { sweepLeadRefusalsJob } from './sweep-lead-refusals.job.js';

@ProcessorOf(sweepLeadRefusalsJob)
export class SweepLeadRefusalsProcessor extends JobProcessor<typeof sweepLeadRefusalsJob> {
  constructor(private readonly refusals: LeadRefusalsService) {
    super(sweepLeadRefusalsJob);
  }

  protected handle(): Promise<unknown> {
    return this.refusals.sweep();
  }
}
