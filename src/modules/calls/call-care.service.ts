import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { AdvisoryLocks } from '../../database/advisory-locks.js';
import { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { dialCallJob } from '../../queues/definitions/dial-call.job.js';
import { evaluateCallJob } from '../../queues/definitions/evaluate-call.job.js';
import { Jobs } from '../../queues/jobs.service.js';
import { evaluationJobId } from './call-endings.service.js';
import { CallEvaluations } from './call-evaluations.service.js';
import { CallFollowing } from './call-following.service.js';
import { CallRunner } from './call-runner.service.js';
import { CallRunsRepository } from './call-runs.repository.js';
import { CallSending } from './call-sending.service.js';
import { CallLostError } from './calls.errors.js';
import { LEASE_MS } from './held-call.js';

/** How long after its longest duration an open call is ended from outside. */
const OVERDUE_MS = 120_000;
const SWEEP_BATCH = 500;

/** Looks after calls that nobody looks after: just made, or left by a process that died. */
@Injectable()
export class CallCare {
  constructor(
    private readonly runs: CallRunsRepository,
    private readonly sending: CallSending,
    private readonly runner: CallRunner,
    private readonly following: CallFollowing,
    private readonly evaluations: CallEvaluations,
    private readonly locks: AdvisoryLocks,
    private readonly carrier: CallCarrier,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  /** Dials a call, or follows it; nothing when somebody does so already. Returns before the call is over. */
  async lookAfter(callId: number): Promise<void> {
    const found = await this.runs.find(callId);
    switch (found?.run.stage) {
      case 'waiting':
      case 'sending':
        // Those of campaigns are sent under the lock of the lead, by the dialler alone.
        if (found.call.campaignName === null) await this.dial(callId);
        return;
      case 'following':
        return this.runner.adopt(callId);
      case 'evaluating':
      case undefined:
        return;
    }
  }

  /** Finds calls whose job was lost, whose process died, or whose time is over. */
  async sweep(): Promise<void> {
    const { speed } = this.carrier.capabilities;
    for (const { callId, why } of await this.runs.findOrphans(speed, OVERDUE_MS, SWEEP_BATCH)) {
      if (why === 'overdue') await this.end(callId);
      else if (why === 'abandoned') await this.abandon(callId);
      else if (why === 'unevaluable') await this.giveUpEvaluation(callId);
      else if (why === 'unevaluated')
        await this.jobs.enqueue(evaluateCallJob, { callId }, { id: evaluationJobId(callId) });
      else await this.jobs.enqueue(dialCallJob, { callId });
    }
  }

  /** The lock outlasts a pause of this process, so that nobody else dials what it still may dial when it wakes up. */
  private async dial(callId: number): Promise<void> {
    await this.locks.tryWith(`call:${callId}`, () => this.sending.send(callId));
  }

  private async giveUpEvaluation(callId: number): Promise<void> {
    try {
      await this.evaluations.giveUp(callId);
    } catch (error) {
      this.logger.error('call not completed', { callId, err: error });
    }
  }

  private async abandon(callId: number): Promise<void> {
    try {
      await this.sending.abandon(callId);
    } catch (error) {
      // The next sweep tries again.
      this.logger.warn('call of a deleted campaign goes on', { callId, err: error });
    }
  }

  private async end(callId: number): Promise<void> {
    const held = this.runner.hold(callId);
    try {
      if (!(await this.runs.takeLease(callId, held.token, LEASE_MS, true))) return;
      const found = await this.runs.find(callId);
      if (found) await this.following.end(found, held);
    } catch (error) {
      if (!(error instanceof CallLostError)) this.logger.error('call not ended', { callId, err: error });
    }
  }
}
