import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import { CallOwnershipService } from '../active-calls/leases/call-ownership.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { CallLostError } from '../calls/calls.errors.js';
import { CallLeasesService } from './call-leases.service.js';
import { CallRunnerService } from './call-runner.service.js';
import { CallSessionsService } from './call-sessions.service.js';
import { CallConclusionService } from './ends/call-conclusion.service.js';
import { CallHangupService } from './ends/call-hangup.service.js';
import { isRunByCarrier, type MonitoredCall } from './monitored-call.js';

/** A line that no process has taken over for so long is over. */
const TAKEOVER_MS = 30_000;
/** A carrier that cannot be reached for so long after the latest possible end of a call has no such call any more. */
const GIVE_UP_AFTER_MS = 600_000;

/** Adopts calls that no process monitors: runs those whose carrier still has the line, and ends the others. */
@Injectable()
export class CallAdoptionService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly ownership: CallOwnershipService,
    private readonly runner: CallRunnerService,
    private readonly sessions: CallSessionsService,
    private readonly leases: CallLeasesService,
    private readonly hangup: CallHangupService,
    private readonly conclusion: CallConclusionService,
    private readonly logger: Logger,
  ) {}

  /**
   * Runs an open call that no process monitors, or ends it where its line died with its process.
   *
   * @param force takes the call also from a process that monitors it
   */
  async adopt(callId: number, force = false): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (!found) return;
    const lease = this.runner.createLease(callId, found.active.carrier, found.active.withoutLine);
    const { reattachable, livesInProcess } = lease.line.capabilities;
    const lapsedMs = reattachable && livesInProcess ? TAKEOVER_MS : 0;
    if (!(await this.ownership.take(lease, force, lapsedMs))) return;
    if (reattachable && !livesInProcess) return this.sessions.resume(lease);
    const { adopt } = lease.line;
    const { carrierCallId } = found.active;
    if (adopt && carrierCallId !== null && isRunByCarrier(found.call, lease.line))
      return this.sessions.resume(lease, () => adopt(carrierCallId));
    this.logger.warn('call ended: its line died with its process', { callId, carrier: found.active.carrier });
    await this.end((await this.activeCalls.find(callId)) ?? found, lease);
  }

  /**
   * Ends an open call whose longest duration is over, whichever process monitors it.
   *
   * @throws CallCarrierError when the carrier cannot be asked, and may still have the call
   */
  async endOverdue(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (!found) return;
    const lease = this.runner.createLease(callId, found.active.carrier);
    if (!(await this.ownership.take(lease, true))) return;
    // The row may have changed before the lease was taken.
    await this.end((await this.activeCalls.find(callId)) ?? found, lease);
  }

  private async end({ call, active }: RunningCall, lease: CallLease): Promise<void> {
    const { carrierCallId } = active;
    if (carrierCallId === null) throw new CallLostError();
    const monitored = { call: { ...call }, active, lease, carrierCallId };
    await this.leases.loadTurns(lease, call);
    try {
      await lease.line.hangUp(carrierCallId);
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      // A line that died with its process cannot be hung up.
      const isGone = error.code === 'no-such-call' || lease.line.capabilities.livesInProcess;
      if (!isGone && !(await this.isPastGivingUp(monitored))) throw error;
      return this.conclusion.writeEnd(monitored, null);
    }
    return this.conclusion.writeEnd(monitored, await this.hangup.readFinalState(monitored));
  }

  private async isPastGivingUp({ call, active, lease }: MonitoredCall): Promise<boolean> {
    const maxMs =
      ((active.maxDurationSeconds + active.ringingSeconds) * 1_000) / lease.line.capabilities.speed;
    const ages = await this.activeCalls.agesOf(call.id);
    return ages === null || ages.callMs > maxMs + GIVE_UP_AFTER_MS;
  }
}
