import { Injectable } from '@nestjs/common';
import type { CallEvent, CarrierCall } from '../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { type CallAssistant, CallAssistantsService } from '../active-calls/call-assistants.service.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { CallLostError } from '../calls/calls.errors.js';
import { CallsService } from '../calls/calls.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import { CallTurnsService } from '../calls/turns/call-turns.service.js';
import { CallControllerFactory } from './call-controller.factory.js';
import { CallConclusionService } from './ends/call-conclusion.service.js';
import { CallHangupService } from './ends/call-hangup.service.js';
import { LineStatesService } from '../active-calls/line-states/line-states.service.js';
import type { AnsweredLine, MonitoredCall } from './monitored-call.js';

/** A carrier that has not been reached for so long after the last end of a call has no such call any more. */
const GIVE_UP_AFTER_MS = 600_000;

/** Follows the carrier's events of a call from the dial to the answer, has its controller run, and has its end written. */
@Injectable()
export class CallMonitorService {
  constructor(
    private readonly assistants: CallAssistantsService,
    private readonly controllers: CallControllerFactory,
    private readonly calls: CallsService,
    private readonly activeCalls: ActiveCallsService,
    private readonly turns: CallTurnsService,
    private readonly hangup: CallHangupService,
    private readonly conclusion: CallConclusionService,
    private readonly lineStates: LineStatesService,
  ) {}

  /**
   * Returns when the call is over, or has been let go of.
   *
   * @param known the call as it is on record, when that was just written
   * @throws CallCarrierError when the carrier cannot be watched; the call goes on
   * @throws CallLostError when another process has the call
   */
  async monitor(lease: CallLease, known?: RunningCall): Promise<void> {
    const found = known ?? (await this.activeCalls.find(lease.callId));
    const carrierCallId = found?.active.carrierCallId;
    if (!found || !carrierCallId) throw new CallLostError();
    const monitored = { ...found, call: { ...found.call }, lease, carrierCallId };
    // Turns that this process has monitored before are newer than those of the last renewal.
    if (lease.turns.all.length === 0) await this.loadTurns(monitored);
    lease.carrierCallId = carrierCallId;
    const unfollow = this.lineStates.follow(monitored);
    try {
      await this.watch(monitored);
    } catch (error) {
      if (!(error instanceof CallCarrierError && error.code === 'no-such-call')) throw error;
      // A carrier that has forgotten the call never reports its end.
      await this.conclusion.writeEnd(monitored, null);
    } finally {
      unfollow();
    }
  }

  /**
   * Ends a call that is open beyond all its time, from whatever process.
   *
   * @throws CallCarrierError when the carrier cannot be asked, and may still have the call
   */
  async end({ call, active }: RunningCall, lease: CallLease): Promise<void> {
    const { carrierCallId } = active;
    if (carrierCallId === null) throw new CallLostError();
    const monitored = { call: { ...call }, active, lease, carrierCallId };
    await this.loadTurns(monitored);
    try {
      await lease.line.hangUp(carrierCallId);
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      // A line that died with its process has nobody left to hang it up.
      const isGone = error.code === 'no-such-call' || lease.line.capabilities.livesInProcess;
      if (!isGone && !(await this.isBeyondHope(monitored))) throw error;
      return this.conclusion.writeEnd(monitored, null);
    }
    return this.conclusion.writeEnd(monitored, await this.hangup.readFinalState(monitored));
  }

  /** What another process has heard on the call. */
  private async loadTurns({ call, lease }: MonitoredCall): Promise<void> {
    if (call.status === 'in-progress') lease.turns.load(await this.turns.list(call.userId, call.id));
  }

  private async isBeyondHope({ call, active, lease }: MonitoredCall): Promise<boolean> {
    const maxMs =
      ((active.maxDurationSeconds + active.ringingSeconds) * 1_000) / lease.line.capabilities.speed;
    const ages = await this.activeCalls.agesOf(call.id);
    return ages === null || ages.callMs > maxMs + GIVE_UP_AFTER_MS;
  }

  private async watch(monitored: MonitoredCall): Promise<void> {
    const { lease, carrierCallId } = monitored;
    const events = lease.line.watch(carrierCallId, lease.signal);
    for (;;) {
      const { done, value: event } = await events.next();
      if (!lease.isHeld) return;
      if (done) throw new CallCarrierError('unavailable', 'no');
      const reported = progressOf(event);
      if (reported.progress === 'ringing') await this.ring(monitored);
      if (reported.progress === 'answered') return this.answer(monitored, events, reported.call);
      if (reported.progress === 'ended') return this.conclusion.writeEnd(monitored, reported.call);
    }
  }

  private async ring(monitored: MonitoredCall): Promise<void> {
    const { call, lease } = monitored;
    call.status = await this.calls.advance(call, 'ringing');
    // A greeting in text needs no rendering.
    if ('text' in lease.line.media) return;
    const assistant = await this.assistants.find(call);
    if (assistant) this.controllers.prepare(monitored, assistant);
  }

  private async answer(
    monitored: MonitoredCall,
    events: AsyncIterator<CallEvent>,
    state: CarrierCall | null,
  ): Promise<void> {
    const { call } = monitored;
    const wasInProgress = call.status === 'in-progress';
    call.status = await this.calls.advance(call, 'in-progress', state?.answeredAt);
    const assistant = await this.assistants.find(call);
    if (state?.transfer === 'connected')
      return this.conclusion.concludeTransferred(monitored, state, assistant);
    if (!assistant) return this.conclusion.concludeWithoutAssistant(monitored);
    return this.runSession(monitored, assistant, { events, state, wasInProgress });
  }

  private async runSession(
    answered: MonitoredCall,
    assistant: CallAssistant,
    line: AnsweredLine,
  ): Promise<void> {
    const { controller, notes } = await this.controllers.make(answered, assistant, line);
    await this.conclusion.concludeSession(answered, await controller.run(), notes);
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
