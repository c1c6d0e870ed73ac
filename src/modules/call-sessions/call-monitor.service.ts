import { Injectable } from '@nestjs/common';
import type { CallEvent, CarrierCall } from '../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { AnsweredCallService, type MonitoredCall } from './answered-call.service.js';
import { CallAssistantsService } from '../active-calls/call-assistants.service.js';
import { CallCompletionService, type Talk } from '../call-completion/call-completion.service.js';
import {
  carrierEndReason,
  talkedSeconds,
  talkedStatusOf,
  transcriptOf,
  unansweredStatus,
} from '../calls/call-outcomes.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { type CallStatus, movesBetween } from '../calls/call-states.js';
import { CallLostError } from '../calls/calls.errors.js';
import { CallsService } from '../calls/calls.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import { CallTurnsService } from '../calls/turns/call-turns.service.js';
import { CallHangupService } from './ends/call-hangup.service.js';
import { LineStatesService } from '../active-calls/line-states/line-states.service.js';

/** A carrier that has not been reached for so long after the last end of a call has no such call any more. */
const GIVE_UP_AFTER_MS = 600_000;

/** Monitors one call: from the dial or the answer, through the talk, to an end in which nothing is left open. */
@Injectable()
export class CallMonitorService {
  constructor(
    private readonly assistants: CallAssistantsService,
    private readonly answered: AnsweredCallService,
    private readonly calls: CallsService,
    private readonly activeCalls: ActiveCallsService,
    private readonly turns: CallTurnsService,
    private readonly completion: CallCompletionService,
    private readonly hangup: CallHangupService,
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
      // A carrier that has forgotten the call will never tell of its end.
      await this.close(monitored, null);
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
      return this.close(monitored, null);
    }
    return this.close(monitored, await this.hangup.readFinalState(monitored));
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
      const stands = standOf(event);
      if (stands.progress === 'ringing') await this.ring(monitored);
      if (stands.progress === 'answered') return this.answer(monitored, events, stands.call);
      if (stands.progress === 'ended') return this.close(monitored, stands.call);
    }
  }

  private async ring(monitored: MonitoredCall): Promise<void> {
    await this.advance(monitored, 'ringing');
    // Words in text are there at once.
    if ('text' in monitored.lease.line.media) return;
    const assistant = await this.assistants.find(monitored.call);
    if (assistant) this.answered.prepare(monitored, assistant);
  }

  private async answer(
    monitored: MonitoredCall,
    events: AsyncIterator<CallEvent>,
    state: CarrierCall | null,
  ): Promise<void> {
    const { call, lease } = monitored;
    const wasTalking = call.status === 'in-progress';
    await this.advance(monitored, 'in-progress', state?.answeredAt ?? undefined);
    const assistant = await this.assistants.find(call);
    if (state?.transfer === 'connected')
      return this.answered.followTransferredCall(monitored, state, assistant);
    if (assistant) return this.answered.talk(monitored, assistant, { events, state, wasTalking });
    const last = await this.hangup.hangUp(monitored);
    return lease.isHeld ? this.close(monitored, last) : undefined;
  }

  /** Moves the row forward; a call that is adopted may be further on than the event that is told again. */
  private async advance(
    { call }: MonitoredCall,
    to: 'ringing' | 'in-progress',
    answeredAt?: Date,
  ): Promise<void> {
    const order: readonly CallStatus[] = ['initiated', 'ringing', 'in-progress'];
    if (order.indexOf(call.status) >= order.indexOf(to)) return;
    for (const move of movesBetween(call.status, to)) {
      const facts = move.to === 'in-progress' && answeredAt ? { answeredAt } : {};
      if (!(await this.calls.move(call.userId, call.id, move, facts))) throw new CallLostError();
    }
    call.status = to;
  }

  /** Writes an end that came without a talk of this process. */
  private async close(monitored: MonitoredCall, last: CarrierCall | null): Promise<void> {
    const { call, lease } = monitored;
    const end = last?.end ?? null;
    const wasAnswered = call.status === 'in-progress' || (last?.answeredAt ?? null) !== null;
    if (!wasAnswered) {
      return this.completion.unanswered(monitored, end ? unansweredStatus(end) : 'failed', lease.token);
    }
    await this.advance(monitored, 'in-progress', last?.answeredAt ?? undefined);
    const talk: Talk = {
      status: end ? talkedStatusOf(end) : 'ended',
      seconds: talkedSeconds(end?.answeredMs ?? knownMs(lease)),
      facts: {
        answeredBy: last?.answeredBy ?? 'unknown',
        endReason: end ? carrierEndReason(end) : 'line_lost',
        transcript: transcriptOf(lease.turns.all),
        variables: { ...call.inputVariables },
      },
    };
    return this.completion.talked(monitored, talk, lease);
  }
}

/** How long a call lasted of which the carrier knows nothing any more: to the last word that is on record. */
function knownMs({ turns }: CallLease): number {
  return turns.all.at(-1)?.endMs ?? 0;
}

function standOf(event: CallEvent): {
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
