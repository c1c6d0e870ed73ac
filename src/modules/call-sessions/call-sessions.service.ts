import { Injectable } from '@nestjs/common';
import type { CallEvent, CarrierCall } from '../../providers/telephony/call/carrier-call.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { CallLostError } from '../calls/calls.errors.js';
import { CallsService } from '../calls/calls.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import { AnsweredCallsService } from './answered-calls.service.js';
import { CallLeasesService } from './call-leases.service.js';
import { CallRunnerService } from './call-runner.service.js';
import { CallConclusionService } from './ends/call-conclusion.service.js';
import { LineStatesService } from '../active-calls/line-states/line-states.service.js';
import type { MonitoredCall } from './monitored-call.js';

/** What is done with a call on which no assistant talks. */
interface FollowedCall {
  /** It has begun to ring; may be called again. */
  onRinging?(ringing: MonitoredCall): void;
  /** Ends the call. */
  onAnswer(answered: MonitoredCall): Promise<void>;
  /** Writes the end of a call that was not answered. Left out: it is written as the carrier reports it. */
  onUnanswered?(unanswered: MonitoredCall, last: CarrierCall | null): Promise<void>;
}

/** The same of any call. */
type CallStages = Omit<FollowedCall, 'onAnswer'> & {
  /** Returns whether the call has to be monitored anew. */
  readonly onAnswer: (
    answered: MonitoredCall,
    events: AsyncIterator<CallEvent>,
    state: CarrierCall | null,
  ) => Promise<boolean>;
};

/** Takes a call from the dial to its end: follows the carrier's events up to the answer, then runs the call's controller. */
@Injectable()
export class CallSessionsService {
  constructor(
    private readonly runner: CallRunnerService,
    private readonly answered: AnsweredCallsService,
    private readonly calls: CallsService,
    private readonly activeCalls: ActiveCallsService,
    private readonly leases: CallLeasesService,
    private readonly conclusion: CallConclusionService,
    private readonly lineStates: LineStatesService,
  ) {}

  /**
   * Records that the carrier has the call, and runs the call in the background. The caller has asked the carrier.
   *
   * @param found the call as it was when the carrier was asked
   * @param carrierCallId the carrier's id of the call
   * @returns false when the call does not wait for the carrier's answer any more
   */
  async begin({ call, active }: RunningCall, carrierCallId: string): Promise<boolean> {
    const lease = this.runner.createLease(call.id, active.carrier);
    const placed = { callId: call.id, carrierCallId, token: lease.token };
    if (!(await this.activeCalls.open(call.userId, placed))) return false;
    active.carrierCallId = carrierCallId;
    let known: RunningCall | null = { call, active };
    this.runner.start(lease, () => {
      const row = known;
      // After an error, the row may have changed.
      known = null;
      return this.monitor(lease, row);
    });
    return true;
  }

  /**
   * Accepts an inbound call that this process has written with the lease, and runs it in the background. The lease is renewed
   * before the carrier is asked. A call that another process has by then is left to it.
   */
  accept(lease: CallLease, carrierCallId: string): void {
    this.runner.start(
      lease,
      () => this.monitor(lease),
      () => lease.line.accept(carrierCallId),
    );
  }

  /**
   * Runs a call that this process has adopted, and whose line the carrier still has.
   *
   * @param adoptLine has the carrier report the line here, where it does not by itself
   */
  resume(lease: CallLease, adoptLine?: () => Promise<void>): void {
    this.runner.start(lease, async () => {
      await adoptLine?.();
      await this.monitor(lease);
    });
  }

  /**
   * Runs a call that this process has adopted, once its carrier has taken over the line. An end that was requested until then
   * comes before the assistant speaks.
   */
  takeOver(lease: CallLease, takeOverLine: () => Promise<void>): void {
    this.runner.start(
      lease,
      () => this.monitor(lease),
      async (renew) => {
        await takeOverLine();
        await renew();
      },
    );
  }

  /** Follows a call on which no assistant talks. Returns as `monitor` does. */
  follow(lease: CallLease, followed: FollowedCall): Promise<void> {
    return this.monitor(lease, null, {
      ...followed,
      onAnswer: async (answered, _events, state) => {
        answered.call.status = await this.calls.advance(answered.call, 'in-progress', state?.answeredAt);
        await followed.onAnswer(answered);
        return false;
      },
    });
  }

  /**
   * Returns when the call is over, or its lease has been released.
   *
   * @param known the call as it is on record, when that was just written
   * @throws CallCarrierError when the carrier cannot be watched; the call goes on
   * @throws CallLostError when another process has the call
   */
  private async monitor(
    lease: CallLease,
    known: RunningCall | null = null,
    stages: CallStages = { onAnswer: (...answer) => this.answered.run(...answer) },
  ): Promise<void> {
    const found = known ?? (await this.activeCalls.find(lease.callId));
    const carrierCallId = found?.active.carrierCallId;
    if (!found || !carrierCallId) throw new CallLostError();
    const monitored = { ...found, call: { ...found.call }, lease, carrierCallId };
    // Turns that this process has monitored before are newer than those of the last renewal.
    if (lease.turns.all.length === 0) await this.leases.loadTurns(lease, found.call);
    lease.carrierCallId = carrierCallId;
    lease.isWithoutAssistant = found.active.withoutLine;
    if (lease.isWithoutAssistant) lease.feed.gate.use(null);
    const unfollow = this.lineStates.follow(monitored);
    let isAgain = false;
    try {
      isAgain = await this.watch(monitored, stages);
    } catch (error) {
      if (!(error instanceof CallCarrierError && error.code === 'no-such-call')) throw error;
      // A carrier that has forgotten the call never reports its end.
      await this.conclusion.writeEnd(monitored, null);
    } finally {
      unfollow();
    }
    if (isAgain) await this.monitor(lease, null, stages);
  }

  /** Returns whether the call has to be monitored anew. */
  private async watch(monitored: MonitoredCall, stages: CallStages): Promise<boolean> {
    const { lease, carrierCallId } = monitored;
    const events = lease.line.watch(carrierCallId, lease.signal);
    for (;;) {
      const { done, value: event } = await events.next();
      if (!lease.isHeld) return false;
      if (done) throw new CallCarrierError('unavailable', 'no');
      const reported = progressOf(event);
      if (reported.progress === 'ringing') {
        await this.markRinging(monitored);
        stages.onRinging?.(monitored);
      }
      if (reported.progress === 'answered') return stages.onAnswer(monitored, events, reported.call);
      if (reported.progress !== 'ended') continue;
      if (stages.onUnanswered && !reported.call?.answeredAt)
        await stages.onUnanswered(monitored, reported.call);
      else await this.conclusion.writeEnd(monitored, reported.call);
      return false;
    }
  }

  private async markRinging(monitored: MonitoredCall): Promise<void> {
    const { call, lease } = monitored;
    call.status = await this.calls.advance(call, 'ringing');
    // A greeting in text needs no rendering.
    if (!('text' in lease.line.media)) await this.answered.prepare(monitored);
  }
}

function progressOf(event: CallEvent): {
  readonly progress: CarrierCall['progress'] | null;
  readonly call: CarrierCall | null;
} {
  switch (event.type) {
    case 'state':
    case 'ended':
      return { progress: event.call.progress, call: event.call };
    case 'ringing':
    case 'answered':
      return { progress: event.type, call: null };
    case 'digits':
    case 'hold':
    case 'heard':
    case 'answering-machine-detection':
    case 'transfer':
      return { progress: null, call: null };
  }
}
