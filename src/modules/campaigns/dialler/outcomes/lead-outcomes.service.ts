import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { PayloadOf } from '#src/queues/job-definition.js';
import { Handles } from '#src/queues/workers/handles.js';
import { CallEndNotifierService } from '../../../call-completion/call-end-notifier.service.js';
import { leadOutcomeJob } from '../../../call-completion/lead-outcome.job.js';
import { AttemptResultsService } from '../attempts/attempt-results.service.js';
import { DiallerService } from '../dialler.service.js';

/** What the end of a call means for the lead who was called. Calls that end in a worker report it directly, without a job. */
@Injectable()
export class LeadOutcomesService implements OnModuleInit {
  constructor(
    private readonly results: AttemptResultsService,
    private readonly dialler: DiallerService,
    private readonly endNotifier: CallEndNotifierService,
  ) {}

  onModuleInit(): void {
    this.endNotifier.listen({
      lineFreed: () => this.lineFreed(),
      ended: (callId) => this.settle({ callId }),
    });
  }

  /** Settles the attempt of a call that is over; any other call, and one settled before, changes nothing. */
  @Handles(leadOutcomeJob)
  async settle({ callId }: PayloadOf<typeof leadOutcomeJob>): Promise<void> {
    // Its line is free for the next lead.
    if (await this.results.settleEnded(callId)) this.dialler.wake();
  }

  /** A line is free although the work after its call is not finished. */
  private lineFreed(): void {
    this.dialler.wake();
  }
}
