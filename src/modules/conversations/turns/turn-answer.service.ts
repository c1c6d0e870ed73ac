import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../../common/errors/errors.js';
import { Logger } from '../../../common/observability/logger.js';
import { ChatConfig } from '../../../config/config.js';
import { ChatModelRegistry } from '../../../providers/llm/chat-model-registry.js';
import { ModelError } from '../../../providers/llm/model-error.js';
import { type ChatTurnResult, runChatTurn, type TurnListener } from '../../../runtime/chat-turn.js';
import type { Handoffs, Speaker } from '../../../runtime/handoff/handoffs.js';
import { earlierMessages } from '../../../runtime/history/earlier-messages.js';
import type { ToolOrigin } from '../../../runtime/tools/tool.js';
import { HoldExpiredError } from '../../billing/billing.errors.js';
import { RequestStillRunningError } from '../../idempotency/idempotency.errors.js';
import { ProcessingFailedError } from '../conversations.errors.js';
import { TestAllowanceService } from '../test-allowance.service.js';
import { ChatHandoffsService } from './chat-handoffs.service.js';
import { type ChatReply, NO_REPLY } from './customer-messages.service.js';
import type { OpenTurn } from './open-turn.js';
import { TurnCompletionService } from './turn-completion.service.js';
import { TurnLeasesService } from './turn-leases.service.js';
import { TurnTokens } from './turn-tokens.js';
import type { AnswerHandoff } from './turns.repository.js';

const PASSED_ON = [ProcessingFailedError, RequestStillRunningError, UnavailableError];

/** Answers turns: runs the assistant on the history and the message. */
@Injectable()
export class TurnAnswerService {
  constructor(
    private readonly handoffs: ChatHandoffsService,
    private readonly models: ChatModelRegistry,
    private readonly leases: TurnLeasesService,
    private readonly completion: TurnCompletionService,
    private readonly testAllowance: TestAllowanceService,
    private readonly config: ChatConfig,
    private readonly logger: Logger,
  ) {}

  /** @throws ProcessingFailedError | RequestStillRunningError | UnavailableError */
  async answer(turn: OpenTurn, content: string, listener?: TurnListener): Promise<ChatReply> {
    const lease = this.leases.keep(turn, this.config.turnTimeoutMs);
    const tokens = new TurnTokens(listener);
    try {
      const speaker = await this.handoffs.speakerOf(turn.assistant, partyOf(turn), turn.handoff);
      const handoffs = this.handoffs.of(partyOf(turn), turn.handoff);
      const result = await this.run(turn, speaker, handoffs, content, lease.signal, tokens);
      const { handedTo = speaker } = result;
      const handoff = handoffs.count === 0 ? null : handoffOf(turn, handedTo, handoffs.count);
      await this.completion.complete(turn, result, handoff, tokens.sum);
      return { message: result.text, functionCalls: result.functionCalls };
    } catch (error) {
      await this.completion.abandon(turn, tokens.sum);
      if (!(await this.completion.isTakenFrom(turn))) throw this.asFailure(error);
      // What the caller has seen of the answer does not count.
      listener?.onRestart('');
      return NO_REPLY;
    } finally {
      lease.end();
      if (turn.isTest) await this.testAllowance.noteTokens(turn.assistant.policy.userId, tokens.sum);
    }
  }

  private async run(
    turn: OpenTurn,
    speaker: Speaker,
    handoffs: Handoffs,
    message: string,
    signal: AbortSignal,
    listener: TurnListener,
  ): Promise<ChatTurnResult> {
    return runChatTurn({
      ...speaker,
      chatModel: await this.models.select(turn.assistant.policy.userId),
      history: earlierMessages(turn.history, speaker.assistant.tools.size > 0),
      message,
      handoffs,
      origin: originOf(turn),
      limits: this.config,
      signal,
      onToolError: (tool, err) => this.logger.error('tool failed', { tool, err }),
      listener,
    });
  }

  private asFailure(error: unknown): Error {
    if (error instanceof ModelError) {
      this.logger.warn('chat model failed', { code: error.code, err: error });
      return new ProcessingFailedError(error.code, { cause: error });
    }
    if (error instanceof HoldExpiredError) return new ProcessingFailedError('lost', { cause: error });
    // All of these say themselves what the caller should do.
    if (PASSED_ON.some((kind) => error instanceof kind)) return error as Error;
    this.logger.error('chat turn failed', { err: error });
    return new ProcessingFailedError('internal', { cause: error });
  }
}

function partyOf({ assistant, variables, byVisitor, lookupVariables }: OpenTurn) {
  return {
    userId: assistant.policy.userId,
    variables,
    isFromVisitor: byVisitor,
    trustedVariables: lookupVariables ?? [],
  };
}

function originOf({ assistant: { compiled, policy }, conversationId }: OpenTurn): ToolOrigin {
  return {
    userId: policy.userId,
    assistantId: compiled.id,
    conversationId,
    callId: null,
    leadId: null,
    campaignId: null,
    customerPhone: null,
  };
}

function handoffOf({ assistant: own }: OpenTurn, { assistant }: Speaker, count: number): AnswerHandoff {
  return assistant.id === own.compiled.id
    ? { speakerId: null, speakerName: null, count }
    : { speakerId: assistant.id, speakerName: assistant.name, count };
}
