import { Injectable } from '@nestjs/common';
import { addTokens, NO_TOKENS, type TokenSum } from '../../../common/figures/token-sum.js';
import { Logger } from '../../../common/observability/logger.js';
import type { CarrierCall } from '../../../providers/telephony/call/carrier-call.js';
import {
  type CallEndedBy,
  type CallResult,
  ENDED_BY_LINE,
} from '../../../runtime/call/session/call-setup.js';
import type { CallAssistant } from '../../active-calls/call-assistants.service.js';
import { CallCompletionService, type Talk } from '../../call-completion/call-completion.service.js';
import { CallEndEventsService } from '../../call-completion/call-end-events.service.js';
import {
  carrierEndReason,
  endReason,
  talkedSeconds,
  talkedStatus,
  talkedStatusOf,
  transcriptOf,
  unansweredStatus,
} from '../../call-completion/call-outcomes.js';
import { CallsService } from '../../calls/calls.service.js';
import { RecordingUploadsService } from '../recordings/recording-uploads.service.js';
import { qualityOf } from '../../calls/turns/call-quality.js';
import type { FunctionCallNotes } from '../../calls/turns/call-function-calls.service.js';
import { CallObserversService } from '../observers/call-observers.service.js';
import { isRunByCarrier, type MonitoredCall, sinceAnswerMs, variableContextOf } from '../monitored-call.js';
import { CallHangupService } from './call-hangup.service.js';

/** Ends monitored calls: ends the line, writes the outcome, and stores the recording that this process has made. */
@Injectable()
export class CallConclusionService {
  constructor(
    private readonly hangup: CallHangupService,
    private readonly calls: CallsService,
    private readonly completion: CallCompletionService,
    private readonly endEvents: CallEndEventsService,
    private readonly recordings: RecordingUploadsService,
    private readonly observers: CallObserversService,
    private readonly logger: Logger,
  ) {}

  /**
   * Ends a call on which an assistant of this process has spoken. Returns when that is done, or the call has been released.
   *
   * @throws CallCarrierError when the line cannot be watched
   * @throws CallLostError when another process has the call
   */
  async concludeSession(
    answered: MonitoredCall,
    result: CallResult,
    notes: FunctionCallNotes,
  ): Promise<void> {
    const { call, lease } = answered;
    if (result.lateness) this.observers.soundWasLate(result.lateness);
    // Where another process has the line now, it stores this part with its own.
    const continuesElsewhere = !lease.isHeld && lease.line.capabilities.reattachable;
    const recording = continuesElsewhere ? null : result.recording;
    try {
      await this.writeSession(answered, result);
    } finally {
      // Only this process can store what it has recorded of a call that has ended.
      if (recording) await this.recordings.upload(call, recording);
      await notes.whenDone(result.toolsDone);
    }
    if (recording || result.toolsDone) this.endEvents.settled(call);
  }

  /** Ends a call whose customer talks to the target of a transfer, after the process that transferred them has died. */
  async concludeTransferred(
    answered: MonitoredCall,
    state: CarrierCall,
    assistant: CallAssistant | null,
  ): Promise<void> {
    const { call, active, lease } = answered;
    const elapsedMs = sinceAnswerMs(lease, state.answeredAt);
    const last = await this.hangup.waitForEnd(answered, active.maxDurationSeconds * 1_000 - elapsedMs);
    if (!lease.isHeld) return;
    const talk: Talk = {
      status: talkedStatus('transfer'),
      seconds: talkedSeconds(last?.end?.answeredMs ?? elapsedMs),
      facts: {
        answeredBy: last?.answeredBy ?? state.answeredBy ?? 'unknown',
        endReason: 'transfer',
        transcript: transcriptOf(lease.turns.all),
        variables: {
          ...(assistant?.compiled.variablesOf(variableContextOf(answered)) ?? call.inputVariables),
        },
      },
    };
    await this.writeTalk(answered, talk);
  }

  /**
   * Ends an answered call that this process has adopted and no assistant has. One that the carrier runs by itself goes on; one
   * whose assistant has been deleted, and one that the process before has run, are hung up.
   */
  async concludeWithoutAssistant(answered: MonitoredCall): Promise<void> {
    const { call, lease } = answered;
    if (isRunByCarrier(call, lease.line))
      return call.routing?.action === 'forward'
        ? this.concludeForwardedByCarrier(answered)
        : this.concludeAnnounced(answered);
    const last = await this.hangup.hangUp(answered);
    if (answered.lease.isHeld) await this.writeEnd(answered, last);
  }

  /** Hangs up a call on which a message was spoken. */
  async concludeMessage(answered: MonitoredCall): Promise<void> {
    const last = await this.hangup.hangUp(answered);
    if (answered.lease.isHeld) await this.writeMessageEnd(answered, last);
  }

  /** Waits for the end of a call on which the carrier itself speaks a message. */
  async concludeAnnounced(answered: MonitoredCall): Promise<void> {
    const { active, lease } = answered;
    const last = await this.hangup.waitForEnd(answered, active.maxDurationSeconds * 1_000);
    if (lease.isHeld) await this.writeMessageEnd(answered, last);
  }

  /** Waits for the end of a call that the carrier itself has connected with another number. */
  async concludeForwardedByCarrier(answered: MonitoredCall): Promise<void> {
    const last = await this.hangup.waitForEnd(answered, answered.active.maxDurationSeconds * 1_000);
    const endedBy = endOfForward(answered, last);
    if (answered.lease.isHeld) await this.writeUnassistedEnd(answered, last, endedBy);
  }

  /**
   * Hangs up a call on which no assistant has talked, as this process knows how that ended.
   *
   * @param endedBy `customer`: the line has ended, and the carrier reports by whom
   */
  async concludeUnassisted(answered: MonitoredCall, endedBy: CallEndedBy): Promise<void> {
    const last = await this.hangup.hangUp(answered);
    const by = endedBy === 'customer' && last?.end ? ENDED_BY_LINE[last.end.by] : endedBy;
    if (answered.lease.isHeld) await this.writeUnassistedEnd(answered, last, by);
  }

  private writeMessageEnd(answered: MonitoredCall, last: CarrierCall | null): Promise<void> {
    const isHungUp = last?.end?.by === 'customer' && !answered.lease.line.announce;
    return this.writeUnassistedEnd(answered, last, isHungUp ? 'customer' : 'assistant');
  }

  /** Of a call on which no assistant has talked. */
  private writeUnassistedEnd(
    answered: MonitoredCall,
    last: CarrierCall | null,
    endedBy: CallEndedBy,
  ): Promise<void> {
    const { call, lease } = answered;
    const { end, answeredAt } = last ?? { end: null, answeredAt: null };
    const talk: Talk = {
      status: talkedStatus(endedBy),
      seconds: talkedSeconds(end?.answeredMs ?? sinceAnswerMs(lease, answeredAt)),
      facts: {
        answeredBy: 'unknown',
        endReason: endReason(endedBy, end),
        transcript: '',
        variables: { ...call.inputVariables },
      },
    };
    return this.writeTalk(answered, talk);
  }

  /**
   * Writes the end of a call on which no assistant of this process has spoken.
   *
   * @param last the state that the carrier reported last; null where it knows nothing of the call any more
   */
  async writeEnd(monitored: MonitoredCall, last: CarrierCall | null): Promise<void> {
    const { call, lease } = monitored;
    const end = last?.end ?? null;
    const wasAnswered = call.status === 'in-progress' || (last?.answeredAt ?? null) !== null;
    if (!wasAnswered) {
      return this.completion.unanswered(monitored, end ? unansweredStatus(end) : 'failed', lease.token);
    }
    call.status = await this.calls.advance(call, 'in-progress', last?.answeredAt);
    const waitedMs = monitored.active.waitedSeconds * 1_000;
    const talk: Talk = {
      status: end ? talkedStatusOf(end) : 'ended',
      // Of a call that the carrier has forgotten, the last recorded word is all that is known.
      seconds: talkedSeconds(end?.answeredMs ?? waitedMs + (lease.turns.all.at(-1)?.endMs ?? 0)),
      facts: {
        answeredBy: last?.answeredBy ?? 'unknown',
        endReason: end ? carrierEndReason(end) : 'line_lost',
        transcript: transcriptOf(lease.turns.all),
        variables: { ...call.inputVariables },
      },
    };
    return this.writeTalk(monitored, talk);
  }

  /** Writes the end of an answered call. The people who listen hear of it then: the work after it may take long. */
  private async writeTalk(answered: MonitoredCall, talk: Talk): Promise<void> {
    const { lease } = answered;
    await this.completion.talked(answered, talk, lease);
    lease.feed.end(talk.facts.endReason ?? null);
  }

  private async writeSession(answered: MonitoredCall, result: CallResult): Promise<void> {
    const { call, lease } = answered;
    let isWritten = false;
    try {
      if (!lease.isHeld) return;
      if (result.error) this.logger.warn('call failed', { callId: call.id, err: result.error });
      const last = await this.endLine(answered, result);
      if (!lease.isHeld) return;
      await this.writeTalk(answered, talkOf(answered, result, last));
      isWritten = true;
    } finally {
      if (!isWritten) await this.observers.keepTokens(call, tokensOf(result));
    }
  }

  private endLine(
    answered: MonitoredCall,
    { endedBy, lineIsOpen, durationMs }: CallResult,
  ): Promise<CarrierCall | null> {
    if (!lineIsOpen) return this.hangup.readFinalState(answered);
    // A transferred customer may talk for as long as money is held.
    const { maxDurationSeconds, waitedSeconds } = answered.active;
    const maxMs = (maxDurationSeconds - waitedSeconds) * 1_000;
    return endedBy === 'transfer'
      ? this.hangup.waitForEnd(answered, maxMs - durationMs)
      : this.hangup.hangUp(answered);
  }
}

/** Who ended a call that the carrier has connected with another number. It does not report which of the two hung up. */
function endOfForward({ call, active, lease }: MonitoredCall, last: CarrierCall | null): CallEndedBy {
  const by = last?.end?.by;
  if (by === 'customer') return 'transfer';
  const isTimeOver =
    sinceAnswerMs(lease, last?.answeredAt ?? call.answeredAt) >= active.maxDurationSeconds * 1_000;
  return by === 'platform' && !isTimeOver ? 'stopped' : 'limit';
}

/** The duration that the carrier charges; where the carrier reports none, the duration that the controller has measured. */
function talkOf({ active }: MonitoredCall, result: CallResult, last: CarrierCall | null): Talk {
  const { transcript, variables, endedBy, answeredBy, gatekeeper, durationMs } = result;
  return {
    status: talkedStatus(endedBy),
    seconds: talkedSeconds(last?.end?.answeredMs ?? active.waitedSeconds * 1_000 + durationMs),
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
