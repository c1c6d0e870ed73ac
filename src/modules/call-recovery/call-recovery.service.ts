import { Injectable } from '@nestjs/common';
import { inParallel } from '../../common/concurrency/in-parallel.js';
import { Logger } from '../../common/observability/logger.js';
import { SessionLocks } from '../../database/connections/session-locks.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import { evaluateCallJob } from '../call-completion/evaluate-call.job.js';
import { JobsService } from '../../queues/jobs.service.js';
import { evaluationJobId } from '../call-completion/call-completion.service.js';
import { CallEvaluationsService } from '../call-completion/call-evaluations.service.js';
import { CallMonitorService } from '../call-sessions/call-monitor.service.js';
import { CallSessionsService } from '../call-sessions/call-sessions.service.js';
import { ActiveCallsRepository } from '../active-calls/active-calls.repository.js';
import { type Orphan, OrphanedCallsRepository } from '../active-calls/orphaned-calls.repository.js';
import { CallPlacementService } from '../outbound-calls/call-placement.service.js';
import { CallLostError } from '../calls/calls.errors.js';
import { VoiceDispatchService } from '../voice-workers/voice-dispatch.service.js';
import type { ActiveCall } from '../active-calls/active-call.entity.js';
import { LEASE_MS } from '../active-calls/leases/call-lease.js';

/** How long after its longest duration an open call is ended from outside. */
const OVERDUE_MS = 120_000;
const SWEEP_BATCH = 500;
/** Calls that are ended at the same time. */
const AT_ONCE = 16;

/** Takes up calls that no process has: just made, or left by a process that died. */
@Injectable()
export class CallRecoveryService {
  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly orphanedCalls: OrphanedCallsRepository,
    private readonly placement: CallPlacementService,
    private readonly sessions: CallSessionsService,
    private readonly monitor: CallMonitorService,
    private readonly evaluations: CallEvaluationsService,
    private readonly locks: SessionLocks,
    private readonly carriers: CallCarriers,
    private readonly voice: VoiceDispatchService,
    private readonly jobs: JobsService,
    private readonly logger: Logger,
  ) {}

  /** Dials a call, or monitors it; nothing when somebody does so already. Returns before the call is over. */
  async lookAfter(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    switch (found?.active.stage) {
      case 'waiting':
      case 'placing':
        // Those of campaigns are sent under the lock of the lead, by the dialler alone.
        if (found.call.campaignName === null) await this.dial(found.active);
        return;
      case 'open':
        return this.sessions.adopt(callId);
      case 'evaluating':
      case undefined:
        return;
    }
  }

  /** Finds calls whose job was lost, whose process died, or whose time is over. */
  async sweep(): Promise<void> {
    const speeds = new Map(this.carriers.all.map(({ name, capabilities }) => [name, capabilities.speed]));
    const orphans = await this.orphanedCalls.find(speeds, OVERDUE_MS, SWEEP_BATCH);
    for (const orphan of orphans) await this.wake(orphan);
    // The carrier is asked about the others, which takes its time when it is not well.
    const toEnd = orphans.filter(({ why }) => why === 'overdue' || why === 'abandoned');
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
        return this.unlessItFails(callId, () => this.evaluations.giveUp(callId));
      case 'overdue':
      case 'abandoned':
        return;
    }
  }

  private end({ callId, why }: Orphan): Promise<void> {
    return this.unlessItFails(callId, () =>
      why === 'abandoned' ? this.placement.abandon(callId) : this.endOverdue(callId),
    );
  }

  /** One call must not keep the others from being looked after; the next sweep comes back to it. */
  private async unlessItFails(callId: number, deed: () => Promise<void>): Promise<void> {
    try {
      await deed();
    } catch (error) {
      if (!(error instanceof CallLostError)) this.logger.error('call not ended', { callId, err: error });
    }
  }

  /** The lock is held while this process is suspended, so that no other one dials what this one may dial when it is resumed. */
  private async dial({ callId, carrier }: ActiveCall): Promise<void> {
    // Where sound goes over the line, the voice process that places it takes the lock.
    if (this.voice.hasSound(carrier)) await this.placement.send(callId);
    else await this.locks.tryWith('call', callId, () => this.placement.send(callId));
  }

  private async endOverdue(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (!found) return;
    const lease = this.sessions.createLease(callId, found.active.carrier);
    if (!(await this.activeCalls.takeLease(callId, lease.token, LEASE_MS, true))) return;
    // By now the row may know more.
    await this.monitor.end((await this.activeCalls.find(callId)) ?? found, lease);
  }
}
