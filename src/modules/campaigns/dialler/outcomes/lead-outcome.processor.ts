import type { OnModuleInit } from '@nestjs/common';
import type { z } from 'zod';
import { CallEndNotifierService } from '../../../call-completion/call-end-notifier.service.js';
import { LeadOutcomesService } from './lead-outcomes.service.js';
import { leadOutcomeJob } from '../../../call-completion/lead-outcome.job.js';
import { JobProcessor } from '#src/queues/job-processor.js';
import { ProcessorOf } from '#src/queues/processor-of.js';

/** Calls that end in a worker tell it directly, without a job. */
@ProcessorOf(leadOutcomeJob)
export class LeadOutcomeProcessor extends JobProcessor<typeof leadOutcomeJob> implements OnModuleInit {
  constructor(
    private readonly outcomes: LeadOutcomesService,
    private readonly endNotifier: CallEndNotifierService,
  ) {
    super(leadOutcomeJob);
  }

  onModuleInit(): void {
    this.endNotifier.listen({
      lineFreed: () => this.outcomes.lineFreed(),
      ended: (callId) => this.outcomes.settle(callId),
    });
  }

  protected handle({ callId }: z.output<typeof leadOutcomeJob.schema>): Promise<unknown> {
    return this.outcomes.settle(callId);
  }
}
