import { Injectable } from '@nestjs/common';
import { inParallel } from '../../common/concurrency/in-parallel.js';
import { Logger } from '../../common/observability/logger.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { JobsService } from '../../queues/jobs.service.js';
import { Handles } from '../../queues/workers/handles.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import type { Orphan } from '../active-calls/running-call.js';
import { evaluationJobId } from '../call-completion/call-end-events.service.js';
import { CallEvaluationsService } from '../call-completion/call-evaluations.service.js';
import { evaluateCallJob } from '../call-completion/evaluate-call.job.js';
import { CallAdoptionService } from '../call-sessions/call-adoption.service.js';
import { CallLostError } from '../calls/calls.errors.js';
import { CallAbandonmentService } from '../outbound-calls/call-abandonment.service.js';
import { sweepCallsJob } from './sweep-calls.job.js';

/** How long after its longest duration an open call is ended from outside. */
const OVERDUE_MS = 120_000;
const SWEEP_BATCH = 500;
/** Calls that are ended at the same time. */
const AT_ONCE = 16;

/** Finds calls that a dead process or a lost job has left. */
@Injectable()
export class CallSweepService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly abandonment: CallAbandonmentService,
    private readonly adoption: CallAdoptionService,
    private readonly evaluations: CallEvaluationsService,
    private readonly carriers: CallCarriers,
    private readonly jobs: JobsService,
    private readonly logger: Logger,
  ) {}

  /** Finds calls whose job was lost, whose process died, or whose time is over. */
  @Handles(sweepCallsJob)
  async sweep(): Promise<void> {
    const speeds = new Map(this.carriers.all.map(({ name, capabilities }) => [name, capabilities.speed]));
    const orphans = await this.activeCalls.findOrphans(speeds, OVERDUE_MS, SWEEP_BATCH);
    for (const orphan of orphans) await this.wake(orphan);
    // The carrier is asked about the others, which takes its time when it is not well.
    const toEnd = orphans.filter(({ why }) => ['overdue', 'unclaimed', 'abandoned'].includes(why));
    await inParallel(toEnd, AT_ONCE, (orphan) => this.end(orphan));
  }

  private async wake({ callId, why }: Orphan): Promise<void> {
    switch (why) {
      case 'undialled':
      case 'unmonitored':
        return this.jobs.wake(dialCallJob, { callId });
      case 'unevaluated':
        return this.jobs.wake(evaluateCallJob, { callId }, { id: evaluationJobId(callId) });
      case 'unevaluable':
        return this.unlessItFails(callId, () => this.evaluations.completeUnevaluated(callId));
      case 'overdue':
      case 'unclaimed':
      case 'abandoned':
        return;
    }
  }

  private end({ callId, why }: Orphan): Promise<void> {
    return this.unlessItFails(callId, () => {
      if (why === 'unclaimed') return this.abandonment.expire(callId);
      return why === 'abandoned' ? this.abandonment.abandon(callId) : this.adoption.endOverdue(callId);
    });
  }

  /** One call must not keep the others from being looked after; the next sweep comes back to it. */
  private async unlessItFails(callId: number, deed: () => Promise<void>): Promise<void> {
    try {
      await deed();
    } catch (error) {
      if (!(error instanceof CallLostError)) this.logger.error('call not ended', { callId, err: error });
    }
  }
}
