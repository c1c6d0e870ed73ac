import { Injectable } from '@nestjs/common';
import { addTokens, NO_TOKENS, type TokenSum } from '../../common/figures/token-sum.js';
import { Logger } from '../../common/observability/logger.js';
import type { CallEvent, CarrierCall } from '../../providers/telephony/call-carrier.js';
import type { CallResult, CallSetup } from '../../runtime/call/session/call-setup.js';
import type { VariableContext } from '../../runtime/compile-assistant.js';
import type { ToolOrigin } from '../../runtime/tools/tool.js';
import { CallCompletionService, type Talk } from '../call-completion/call-completion.service.js';
import { endReason, talkedSeconds, talkedStatus, transcriptOf } from '../calls/call-outcomes.js';
import { qualityOf } from '../calls/turns/call-quality.js';
import type { FunctionCallNotes } from '../calls/turns/call-function-calls.service.js';
import type { StoredCall } from '../calls/stored-call.js';
import type { CallStatus } from '../calls/call-states.js';
import type { RunningCall } from '../active-calls/running-call.js';
import type { CallAssistant } from '../active-calls/call-assistants.service.js';
import { AfterTalkService } from './after-talk.service.js';
import { CallControllerFactory } from './call-controller.factory.js';
import { CallObserversService } from './call-observers.service.js';
import { CallHangupService } from './ends/call-hangup.service.js';
import { CallHandoffsService } from '../active-calls/handoffs/call-handoffs.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import { SecondLegsService } from './second-legs.service.js';

/** A call on its way to its end, in the hands of this process. */
export interface MonitoredCall extends RunningCall {
  readonly call: StoredCall & { status: CallStatus };
  readonly lease: CallLease;
  readonly carrierCallId: string;
}

/** How the line of a call stands at the answer, or when another process goes on with it. */
interface AnsweredLine {
  readonly events: AsyncIterator<CallEvent>;
  /** As the carrier tells it; null where it tells of the answer alone. */
  readonly state: CarrierCall | null;
  /** Somebody has talked on it before. */
  readonly wasTalking: boolean;
}

/** An answered call: the assistant's talk on it, what is left of the line after that, and what is written of it. */
@Injectable()
export class AnsweredCallService {
  constructor(
    private readonly controllers: CallControllerFactory,
    private readonly completion: CallCompletionService,
    private readonly handoffs: CallHandoffsService,
    private readonly hangup: CallHangupService,
    private readonly secondLegs: SecondLegsService,
    private readonly afterTalk: AfterTalkService,
    private readonly observers: CallObserversService,
    private readonly logger: Logger,
  ) {}

  /** Renders the first words while it rings. */
  prepare({ call, lease, carrierCallId }: MonitoredCall, { compiled, voice }: CallAssistant): void {
    const { line, signal } = lease;
    this.controllers.prepare(line, {
      callId: carrierCallId,
      userId: call.userId,
      assistant: compiled,
      variables: compiled.variablesOf(variableContextOf(call)),
      voice,
      signal,
    });
  }

  /**
   * Talks on it, and writes the end. Returns when that is done, or the call has been let go of.
   *
   * @throws CallCarrierError when the line cannot be watched
   * @throws CallLostError when another process has the call
   */
  async talk(answered: MonitoredCall, assistant: CallAssistant, line: AnsweredLine): Promise<void> {
    const { call, lease } = answered;
    const { events, state, wasTalking } = line;
    const party = { call, lease, variableContext: variableContextOf(call) };
    const handoffs = wasTalking ? await this.handoffs.resume(party) : this.handoffs.begin(party);
    const resumed = {
      turns: lease.turns.all,
      elapsedMs: sinceAnswerMs(lease, state?.answeredAt ?? undefined),
      isOnHold: state?.transfer === 'running',
      lineBroke: lease.line.capabilities.livesInProcess,
      ...(handoffs.speaker ? { speaker: handoffs.speaker } : {}),
    };
    const notes = this.observers.notesOf(call);
    const setup: CallSetup = {
      ...this.setupOf(answered, assistant, notes),
      handoffs: handoffs.source,
      events,
      answeredBy: state?.answeredBy ?? null,
      isHeld: state?.isHeld ?? false,
      ...(wasTalking ? { resumed } : {}),
    };
    const controller = await this.controllers.make(setup, lease.line, call.userId);
    const result = await controller.run();
    if (result.lateness) this.observers.soundWasLate(result.lateness);
    // Where another process has the line now, it stores this part with its own.
    const goesOnElsewhere = !lease.isHeld && lease.line.capabilities.reattachable;
    const recording = goesOnElsewhere ? null : result.recording;
    try {
      await this.conclude(answered, result);
    } finally {
      // Of a call that has ended, what this process has recorded only this process can store.
      if (recording) await this.afterTalk.store(call, recording);
      await notes.whenDone(result.toolsDone);
    }
    if (recording || result.toolsDone) this.afterTalk.settled(call);
  }

  /** Another process has transferred the customer, and died: there is nobody left to talk to. */
  async followTransferredCall(
    answered: MonitoredCall,
    state: CarrierCall,
    assistant: CallAssistant | null,
  ): Promise<void> {
    const { call, active, lease } = answered;
    const talkedMs = sinceAnswerMs(lease, state.answeredAt ?? undefined);
    const last = await this.hangup.waitForEnd(answered, active.maxDurationSeconds * 1_000 - talkedMs);
    if (!lease.isHeld) return;
    const talk: Talk = {
      status: talkedStatus('transfer'),
      seconds: talkedSeconds(last?.end?.answeredMs ?? talkedMs),
      facts: {
        answeredBy: last?.answeredBy ?? state.answeredBy ?? 'unknown',
        endReason: 'transfer',
        transcript: transcriptOf(lease.turns.all),
        variables: { ...(assistant?.compiled.variablesOf(variableContextOf(call)) ?? call.inputVariables) },
      },
    };
    await this.completion.talked(answered, talk, lease);
  }

  private async conclude(answered: MonitoredCall, result: CallResult): Promise<void> {
    const { call, lease } = answered;
    let isWritten = false;
    try {
      if (!lease.isHeld) return;
      if (result.error) this.logger.warn('call failed', { callId: call.id, err: result.error });
      const last = await this.endOf(answered, result);
      if (!lease.isHeld) return;
      await this.completion.talked(answered, talkOf(result, last), lease);
      isWritten = true;
    } finally {
      if (!isWritten) await this.observers.keepTokens(call, tokensOf(result));
    }
  }

  private endOf(
    answered: MonitoredCall,
    { endedBy, lineIsOpen, durationMs }: CallResult,
  ): Promise<CarrierCall | null> {
    if (!lineIsOpen) return this.hangup.readFinalState(answered);
    // Whoever was transferred talks on, as long as the money is held for.
    const maxMs = answered.active.maxDurationSeconds * 1_000;
    return endedBy === 'transfer'
      ? this.hangup.waitForEnd(answered, maxMs - durationMs)
      : this.hangup.hangUp(answered);
  }

  private setupOf(
    { call, active, lease, carrierCallId }: MonitoredCall,
    { compiled, settings, numbers, secondLegs, voice }: CallAssistant,
    notes: FunctionCallNotes,
  ): Omit<CallSetup, 'events'> {
    const { userId, clientPhoneNumber: customer } = call;
    const transferring = { userId, customer, callsPerSecond: active.callsPerSecond, lease };
    return {
      callId: carrierCallId,
      assistant: compiled,
      variableContext: variableContextOf(call),
      origin: originOf(call),
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
      amdEnabled: call.type === 'outbound',
      listener: this.observers.listenerOf({ call, lease, carrierCallId }, notes),
      signal: lease.signal,
    };
  }
}

/** In the carrier's time. */
function sinceAnswerMs({ line }: CallLease, answeredAt: Date | undefined): number {
  if (!answeredAt) return 0;
  return Math.max(Date.now() - answeredAt.getTime(), 0) * line.capabilities.speed;
}

/** The carrier counts what is charged; where it does not tell, the engine's own count is the best there is. */
function talkOf(result: CallResult, last: CarrierCall | null): Talk {
  const { transcript, variables, endedBy, answeredBy, gatekeeper, durationMs } = result;
  return {
    status: talkedStatus(endedBy),
    seconds: talkedSeconds(last?.end?.answeredMs ?? durationMs),
    facts: {
      answeredBy: answeredBy ?? last?.answeredBy ?? 'unknown',
      gatekeeper,
      endReason: endReason(endedBy, last?.end ?? null),
      transcript: transcriptOf(transcript),
      quality: qualityOf(result.metrics, result.ignored, result.lateness),
      variables: { ...variables },
      tokens: tokensOf(result),
    },
    isUnsettled: result.recording !== null || result.toolsDone !== undefined,
  };
}

function tokensOf({ modelUsage }: CallResult): TokenSum {
  return modelUsage.reduce<TokenSum>((sum, used) => addTokens(sum, used), NO_TOKENS);
}

function variableContextOf(call: StoredCall): VariableContext {
  return {
    variables: call.inputVariables,
    customerPhone: call.clientPhoneNumber,
    assistantPhone: call.assistantPhoneNumber,
    now: new Date(),
  };
}

function originOf({
  userId,
  assistantId,
  id,
  leadId,
  campaignId,
  clientPhoneNumber,
}: StoredCall): ToolOrigin {
  return {
    userId,
    assistantId,
    conversationId: null,
    callId: id,
    leadId,
    campaignId,
    customerPhone: clientPhoneNumber,
  };
}
