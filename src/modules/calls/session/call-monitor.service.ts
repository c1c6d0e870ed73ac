import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import type { CallEvent, CarrierCall } from '../../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { addTokens, NO_TOKENS, type TokenSum } from '../../../common/figures/token-sum.js';
import type { CallResult, EngineCall } from '../../../runtime/call/call-engine.js';
import type { VariableContext } from '../../../runtime/compile-assistant.js';
import { type CallAssistant, CallAssistantsService } from './call-assistants.service.js';
import { CallCompletionService, type Talk } from '../completion/call-completion.service.js';
import { CallEngineFactory } from './call-engine.factory.js';
import { talkedStatus, talkedStatusOf, transcriptOf, unansweredStatus } from '../completion/call-outcomes.js';
import { ActiveCallsRepository, type RunningCall } from './active-calls.repository.js';
import { type CallStatus, movesBetween } from '../call-states.js';
import { CallLostError } from '../calls.errors.js';
import { CallHandoffsService } from './handoffs/call-handoffs.service.js';
import type { Call } from '../call.entity.js';
import { CallsService } from '../calls.service.js';
import type { CallLease } from './call-lease.js';
import { TurnMetricsService } from '../turns/turn-metrics.service.js';
import { CallTurnsRepository } from '../turns/call-turns.repository.js';
import { qualityOf } from '../turns/call-quality.js';
import { RecordingUploadsService } from '../recordings/recording-uploads.service.js';
import { CallHangupService } from './call-hangup.service.js';
import { LineStatesService } from './recovery/line-states.service.js';
import { SecondLegsService } from './second-legs.service.js';

/** A carrier that has not been reached for so long after the last end of a call has no such call any more. */
const GIVE_UP_AFTER_MS = 600_000;

/** A call on its way to its end, in the hands of this process. */
interface MonitoredCall extends RunningCall {
  readonly lease: CallLease;
  readonly carrierCallId: string;
}

/** Monitors one call: from the dial or the answer, through the talk, to an end in which nothing is left open. */
@Injectable()
export class CallMonitorService {
  constructor(
    private readonly engines: CallEngineFactory,
    private readonly assistants: CallAssistantsService,
    private readonly calls: CallsService,
    private readonly activeCalls: ActiveCallsRepository,
    private readonly turns: CallTurnsRepository,
    private readonly completion: CallCompletionService,
    private readonly handoffs: CallHandoffsService,
    private readonly hangup: CallHangupService,
    private readonly lineStates: LineStatesService,
    private readonly secondLegs: SecondLegsService,
    private readonly recordings: RecordingUploadsService,
    private readonly turnMetrics: TurnMetricsService,
    private readonly logger: Logger,
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
    const monitored = { ...found, lease, carrierCallId };
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
    const monitored = { call, active, lease, carrierCallId };
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
    return this.close(monitored, await this.hangup.lastWord(monitored));
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
      if (stands.progress === 'answered') return this.talk(monitored, events, stands.call);
      if (stands.progress === 'ended') return this.close(monitored, stands.call);
    }
  }

  private async ring(monitored: MonitoredCall): Promise<void> {
    const { call, lease, carrierCallId } = monitored;
    await this.advance(monitored, 'ringing');
    // A voice renders its first words meanwhile; words in text are there at once.
    if ('text' in lease.line.media) return;
    const assistant = await this.assistants.find(call);
    if (!assistant) return;
    const { compiled, voice } = assistant;
    const variables = compiled.variablesOf(variableContextOf(call));
    const { line, signal } = lease;
    this.engines.prepare(line, {
      callId: carrierCallId,
      userId: call.userId,
      assistant: compiled,
      variables,
      voice,
      signal,
    });
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

  private async talk(
    monitored: MonitoredCall,
    events: AsyncIterator<CallEvent>,
    state: CarrierCall | null,
  ): Promise<void> {
    const { call, lease } = monitored;
    const wasTalking = call.status === 'in-progress';
    const answeredAt = state?.answeredAt ?? undefined;
    await this.advance(monitored, 'in-progress', answeredAt);
    const assistant = await this.assistants.find(call);
    if (state?.transfer === 'connected') return this.seeTransferOut(monitored, state, assistant);
    if (!assistant) {
      const last = await this.hangup.hangUp(monitored);
      return lease.isHeld ? this.close(monitored, last) : undefined;
    }
    const talkedMs = sinceAnswerMs(lease, answeredAt);
    const party = { call, lease, variableContext: variableContextOf(call) };
    const handoffs = wasTalking ? await this.handoffs.resume(party) : this.handoffs.begin(party);
    const resumed = {
      turns: lease.turns.all,
      elapsedMs: talkedMs,
      isOnHold: state?.transfer === 'running',
      lineBroke: lease.line.capabilities.livesInProcess,
      ...(handoffs.speaker ? { speaker: handoffs.speaker } : {}),
    };
    const engine = await this.engines.on(lease.line, call.userId);
    const result = await engine.run({
      ...this.engineCall(monitored, assistant),
      handoffs: handoffs.source,
      events,
      answeredBy: state?.answeredBy ?? null,
      ...(wasTalking ? { resumed } : {}),
    });
    // Where another process has the line now, it stores this part with its own.
    const goesOnElsewhere = !lease.isHeld && lease.line.capabilities.reattachable;
    const recording = goesOnElsewhere ? null : result.recording;
    try {
      await this.conclude(monitored, result);
    } finally {
      // Of a call that has ended, what this process has recorded only this process can store.
      if (recording) await this.recordings.upload(call, recording);
    }
    if (recording) this.completion.settled(call);
  }

  private async conclude(monitored: MonitoredCall, result: CallResult): Promise<void> {
    const { call, lease } = monitored;
    let isWritten = false;
    try {
      if (!lease.isHeld) return;
      if (result.error) this.logger.warn('call failed', { callId: call.id, err: result.error });
      const last = await this.endOf(monitored, result);
      if (!lease.isHeld) return;
      await this.completion.talked(monitored, talkOf(result, last), lease);
      isWritten = true;
    } finally {
      if (!isWritten) await this.keepTokens(call, tokensOf(result));
    }
  }

  /** Of a part of the call: whoever goes on with it knows of its own alone. */
  private async keepTokens(call: Call, tokens: TokenSum): Promise<void> {
    if (tokens.inputTokens === null) return;
    await this.calls
      .addTokens(call, tokens)
      .catch((err: unknown) => this.logger.warn('tokens of a call not counted', { callId: call.id, err }));
  }

  private endOf(
    monitored: MonitoredCall,
    { endedBy, lineIsOpen, durationMs }: CallResult,
  ): Promise<CarrierCall | null> {
    if (!lineIsOpen) return this.hangup.lastWord(monitored);
    // Whoever was transferred talks on, as long as the money is held for.
    const maxMs = monitored.active.maxDurationSeconds * 1_000;
    return endedBy === 'transfer'
      ? this.hangup.outlast(monitored, maxMs - durationMs)
      : this.hangup.hangUp(monitored);
  }

  /** Another process has transferred the customer, and died: there is nobody left to talk to. */
  private async seeTransferOut(
    monitored: MonitoredCall,
    state: CarrierCall,
    assistant: CallAssistant | null,
  ): Promise<void> {
    const { call, active, lease } = monitored;
    const talkedMs = sinceAnswerMs(lease, state.answeredAt ?? undefined);
    const last = await this.hangup.outlast(monitored, active.maxDurationSeconds * 1_000 - talkedMs);
    if (!lease.isHeld) return;
    const talk: Talk = {
      status: talkedStatus('transfer'),
      seconds: secondsOf(last?.end?.answeredMs ?? talkedMs),
      facts: {
        answeredBy: last?.answeredBy ?? state.answeredBy ?? 'unknown',
        transcript: transcriptOf(lease.turns.all),
        variables: { ...(assistant?.compiled.variablesOf(variableContextOf(call)) ?? call.inputVariables) },
      },
    };
    await this.completion.talked(monitored, talk, lease);
  }

  private engineCall(
    { call, active, lease, carrierCallId }: MonitoredCall,
    { compiled, settings, numbers, secondLegs, voice }: CallAssistant,
  ): Omit<EngineCall, 'events'> {
    const { userId, clientPhoneNumber: customer } = call;
    const transferring = { userId, customer, callsPerSecond: active.callsPerSecond, lease };
    return {
      callId: carrierCallId,
      assistant: compiled,
      variableContext: variableContextOf(call),
      // Money is held for the duration that was set when the call began.
      settings: { ...settings, maxDurationMs: active.maxDurationSeconds * 1_000 },
      numbers,
      secondLegs: new Map(
        [...secondLegs].map(([id, carrier]) => {
          const room = this.secondLegs.roomFor(transferring, { id, carrier });
          return [id, lease.line.secondLegsOn(carrier, room)];
        }),
      ),
      voice,
      // As it was when the call began: nobody is recorded who was told otherwise.
      recordAs: call.recordingEnabled ? call.id : null,
      mayMeetMachine: call.type === 'outbound',
      listener: {
        onTurn: (turn, earlier) => {
          lease.turns.note(turn, earlier);
          lease.line.showTurn(carrierCallId, turn);
        },
        onThinking: (isThinking) => lease.line.showThinking(carrierCallId, isThinking),
        onMetrics: (turn) => this.turnMetrics.took(turn),
        onError: (err) => this.logger.warn('call went on after an error', { callId: call.id, err }),
      },
      signal: lease.signal,
    };
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
      seconds: secondsOf(end?.answeredMs ?? knownMs(lease)),
      facts: {
        answeredBy: last?.answeredBy ?? 'unknown',
        transcript: transcriptOf(lease.turns.all),
        variables: { ...call.inputVariables },
      },
    };
    return this.completion.talked(monitored, talk, lease);
  }
}

/** In the carrier's time. */
function sinceAnswerMs({ line }: CallLease, answeredAt: Date | undefined): number {
  if (!answeredAt) return 0;
  return Math.max(Date.now() - answeredAt.getTime(), 0) * line.capabilities.speed;
}

/** The carrier counts what is charged; where it does not tell, the engine's own count is the best there is. */
function talkOf(result: CallResult, last: CarrierCall | null): Talk {
  const { transcript, variables, endedBy, answeredBy, gatekeeper, durationMs, metrics } = result;
  return {
    status: talkedStatus(endedBy),
    seconds: secondsOf(last?.end?.answeredMs ?? durationMs),
    facts: {
      answeredBy: answeredBy ?? last?.answeredBy ?? 'unknown',
      gatekeeper,
      transcript: transcriptOf(transcript),
      quality: qualityOf(metrics),
      variables: { ...variables },
      tokens: tokensOf(result),
    },
    isRecorded: result.recording !== null,
  };
}

function tokensOf({ modelUsage }: CallResult): TokenSum {
  return modelUsage.reduce<TokenSum>((sum, used) => addTokens(sum, used), NO_TOKENS);
}

/** How long a call lasted of which the carrier knows nothing any more: to the last word that is on record. */
function knownMs({ turns }: CallLease): number {
  return turns.all.at(-1)?.endMs ?? 0;
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}

function variableContextOf(call: Call): VariableContext {
  return {
    variables: call.inputVariables,
    customerPhone: call.clientPhoneNumber,
    assistantPhone: call.assistantPhoneNumber,
    now: new Date(),
  };
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
    case 'answering-machine-detection':
    case 'transfer':
      return { progress: null, call: null };
  }
}
