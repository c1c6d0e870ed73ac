import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { CallCarrier, type CallEvent, type CarrierCall } from '../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import type { CallResult, EngineCall } from '../../runtime/call/call-engine.js';
import { type CallAssistant, CallAssistants } from './call-assistants.service.js';
import { CallEndings, type Talk } from './call-endings.service.js';
import { CallEngines } from './call-engines.service.js';
import { talkedStatus, talkedStatusOf, transcriptOf, unansweredStatus } from './call-outcomes.js';
import { CallRunsRepository, type RunningCall } from './call-runs.repository.js';
import { type CallStatus, movesBetween } from './call-states.js';
import { CallLostError } from './calls.errors.js';
import { CallsService } from './calls.service.js';
import type { HeldCall } from './held-call.js';

/** How long the carrier's own word on the end of a call may take, once nothing goes on any more. */
const LAST_WORD_MS = 5_000;

/** A call on its way to its end, in the hands of this process. */
interface Followed extends RunningCall {
  readonly held: HeldCall;
  readonly carrierCallId: string;
}

/** Follows one call: from the dial or the answer, through the talk, to an end in which nothing is left open. */
@Injectable()
export class CallFollowing {
  constructor(
    private readonly carrier: CallCarrier,
    private readonly engines: CallEngines,
    private readonly assistants: CallAssistants,
    private readonly calls: CallsService,
    private readonly runs: CallRunsRepository,
    private readonly endings: CallEndings,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns when the call is over, or has been let go of.
   *
   * @throws CallCarrierError when the carrier cannot be watched; the call goes on
   * @throws CallLostError when another process has the call
   */
  async follow(held: HeldCall): Promise<void> {
    const found = await this.runs.find(held.callId);
    const carrierCallId = found?.run.carrierCallId;
    if (!found || !carrierCallId) throw new CallLostError();
    const followed = { ...found, held, carrierCallId };
    held.turns = [...found.run.turns];
    try {
      await this.watch(followed);
    } catch (error) {
      if (!(error instanceof CallCarrierError && error.code === 'no-such-call')) throw error;
      // A carrier that has forgotten the call will never tell of its end.
      await this.close(followed, null);
    }
  }

  /** Ends a call that is open beyond all its time, from whatever process. */
  async end({ call, run }: RunningCall, held: HeldCall): Promise<void> {
    const { carrierCallId } = run;
    if (carrierCallId === null) throw new CallLostError();
    await held.line.hangUp(carrierCallId);
    held.turns = [...run.turns];
    await this.close({ call, run, held, carrierCallId }, await this.lastWord(carrierCallId, LAST_WORD_MS));
  }

  private async watch(followed: Followed): Promise<void> {
    const { held, carrierCallId } = followed;
    const events = this.carrier.watch(carrierCallId, held.signal);
    for (;;) {
      const { done, value: event } = await events.next();
      if (!held.isHeld) return;
      if (done) throw new CallCarrierError('unavailable', 'no');
      const stands = standOf(event);
      if (stands.progress === 'ringing') await this.advance(followed, 'ringing');
      if (stands.progress === 'answered') return this.talk(followed, events, stands.call);
      if (stands.progress === 'ended') return this.close(followed, stands.call);
    }
  }

  /** Moves the row forward; a call that is adopted may be further on than the event that is told again. */
  private async advance({ call }: Followed, to: 'ringing' | 'in-progress', answeredAt?: Date): Promise<void> {
    const order: readonly CallStatus[] = ['initiated', 'ringing', 'in-progress'];
    if (order.indexOf(call.status) >= order.indexOf(to)) return;
    for (const move of movesBetween(call.status, to)) {
      const facts = move.to === 'in-progress' && answeredAt ? { answeredAt } : {};
      if (!(await this.calls.move(call.userId, call.id, move, facts))) throw new CallLostError();
    }
    call.status = to;
  }

  private async talk(
    followed: Followed,
    events: AsyncIterator<CallEvent>,
    state: CarrierCall | null,
  ): Promise<void> {
    const { call, held, carrierCallId } = followed;
    const wasTalking = call.status === 'in-progress';
    const answeredAt = state?.answeredAt ?? undefined;
    await this.advance(followed, 'in-progress', answeredAt);
    const assistant = await this.assistants.find(call);
    if (!assistant) {
      await held.line.hangUp(carrierCallId);
      return this.close(followed, await this.lastWord(carrierCallId, LAST_WORD_MS));
    }
    const resumed = wasTalking ? { turns: held.turns, elapsedMs: this.elapsedMs(answeredAt) } : undefined;
    const result = await this.engines.on(held.line).run({
      ...this.engineCall(followed, assistant),
      events,
      ...(resumed ? { resumed } : {}),
    });
    if (!held.isHeld) return;
    if (result.error) this.logger.warn('call failed', { callId: call.id, err: result.error });
    await this.endings.talked(followed, await this.talkOf(followed, result), held.token);
  }

  private engineCall(
    { call, held, carrierCallId }: Followed,
    { compiled, settings, numbers }: CallAssistant,
  ): Omit<EngineCall, 'events'> {
    return {
      callId: carrierCallId,
      assistant: compiled,
      occasion: {
        variables: call.inputVariables,
        customerPhone: call.clientPhoneNumber,
        assistantPhone: call.assistantPhoneNumber,
        now: new Date(),
      },
      settings,
      numbers,
      listener: {
        onTurn: (turn) => held.turns.push(turn),
        onError: (err) => this.logger.warn('call went on after an error', { callId: call.id, err }),
      },
      signal: held.signal,
    };
  }

  /** The carrier counts what is charged; where it does not tell, the engine's own count is the best there is. */
  private async talkOf(followed: Followed, result: CallResult): Promise<Talk> {
    const { run, carrierCallId } = followed;
    // Whoever was transferred talks on, as long as the money is held for.
    const restMs = Math.max(run.maxDurationSeconds * 1_000 - result.durationMs, 0);
    let last = await this.lastWord(
      carrierCallId,
      result.lineIsOpen ? restMs / this.carrier.capabilities.speed : LAST_WORD_MS,
    );
    if (result.lineIsOpen && !last?.end) {
      await followed.held.line.hangUp(carrierCallId);
      last = await this.lastWord(carrierCallId, LAST_WORD_MS);
    }
    const { transcript, variables, endedBy } = result;
    return {
      status: talkedStatus(endedBy),
      seconds: Math.round((last?.end?.answeredMs ?? result.durationMs) / 1_000),
      facts: {
        answeredBy: result.answeredBy ?? last?.answeredBy ?? 'unknown',
        transcript: transcriptOf(transcript),
        variables: { ...variables },
      },
    };
  }

  /** Writes an end that came without a talk of this process. */
  private async close(followed: Followed, last: CarrierCall | null): Promise<void> {
    const { call, held } = followed;
    const end = last?.end ?? null;
    const wasAnswered = call.status === 'in-progress' || (last?.answeredAt ?? null) !== null;
    if (!wasAnswered) {
      return this.endings.unanswered(followed, end ? unansweredStatus(end) : 'failed', held.token);
    }
    await this.advance(followed, 'in-progress', last?.answeredAt ?? undefined);
    const talk: Talk = {
      status: end ? talkedStatusOf(end) : 'ended',
      seconds: Math.round((end?.answeredMs ?? this.knownMs(followed)) / 1_000),
      facts: {
        answeredBy: last?.answeredBy ?? 'unknown',
        transcript: transcriptOf(held.turns),
        variables: { ...call.inputVariables },
      },
    };
    return this.endings.talked(followed, talk, held.token);
  }

  /** How long a call lasted of which the carrier knows nothing any more: to the last word that is on record. */
  private knownMs({ held }: Followed): number {
    return held.turns.at(-1)?.atMs ?? 0;
  }

  private elapsedMs(answeredAt: Date | undefined): number {
    if (!answeredAt) return 0;
    return Math.max(Date.now() - answeredAt.getTime(), 0) * this.carrier.capabilities.speed;
  }

  /** The call as the carrier has it at its end, if that comes in time; else as it stands. */
  private async lastWord(carrierCallId: string, timeoutMs: number): Promise<CarrierCall | null> {
    let last: CarrierCall | null = null;
    try {
      const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
      for await (const event of this.carrier.watch(carrierCallId, signal)) {
        if (event.type !== 'state' && event.type !== 'ended') continue;
        last = event.call;
        if (last.end) break;
      }
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.logger.warn('carrier did not tell of the end of a call', { err: error });
    }
    return last;
  }
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
    case 'heard':
    case 'hint':
    case 'transfer':
      return { progress: null, call: null };
  }
}
