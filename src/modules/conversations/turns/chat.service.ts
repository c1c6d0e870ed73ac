import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../../common/errors/errors.js';
import { RequestStillRunningError } from '../../idempotency/idempotency.errors.js';
import { Logger } from '../../../common/observability/logger.js';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import { ChatConfig } from '../../../config/config.js';
import { untilDatabaseAnswers } from '../../../database/outages/lost-connection.js';
import type { ChatModelProvider } from '../../../providers/llm/chat-model.js';
import { ChatModelRegistry } from '../../../providers/llm/chat-model-registry.js';
import { ModelError } from '../../../providers/llm/model-error.js';
import type { TokenSum } from '../../../common/figures/token-sum.js';
import { type ChatTurnResult, runChatTurn, type TurnListener } from '../../../runtime/chat-turn.js';
import type { Handoffs, Speaker } from '../../../runtime/handoff/handoffs.js';
import { earlierMessages } from '../../../runtime/history/earlier-messages.js';
import { HoldExpiredError } from '../../billing/billing.errors.js';
import { MESSAGE_PRICE_MICROS } from '../../billing/money.js';
import type { VisitorBudget } from '../../billing/spend/visitor-budget.js';
import { VisitorSpendService } from '../../billing/spend/visitor-spend.service.js';
import type { Visitor } from '../../visitors/visitor.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { AnswerConfirmationService } from './answer-confirmation.service.js';
import { ChatAssistantsService, type ChatAssistant } from './chat-assistants.service.js';
import { ChatHandoffsService } from './chat-handoffs.service.js';
import { ChatMetricsService } from './chat-metrics.service.js';
import { ConversationNewsService } from '../conversation-news.service.js';
import { ConversationOriginsService } from '../conversation-origins.service.js';
import { ConversationQueueService } from './conversation-queue.service.js';
import { ConversationEndingsService } from '../endings/conversation-endings.service.js';
import {
  ConversationEndedError,
  ConversationNotFoundError,
  ProcessingFailedError,
} from '../conversations.errors.js';
import { type ChatReply, CustomerMessagesService, NO_REPLY } from './customer-messages.service.js';
import { LEASE_MS, TurnLeasesService } from './turn-leases.service.js';
import { TurnTokens } from './turn-tokens.js';
import { type AnswerHandoff, type BegunTurn, type Turn, TurnsRepository } from './turns.repository.js';

const MAX_WAIT_STEP_MS = 250;
/** The first one may be at an assistant that was remembered; each of the others loads it. */
const MAX_LOOKS = 4;
const PASSED_ON = [ProcessingFailedError, RequestStillRunningError, UnavailableError];

/** What each message of a customer costs in a widget conversation. */
const PRICE = { kind: 'message', amountMicros: MESSAGE_PRICE_MICROS } as const;

/** A turn under way: the message is stored and its price held. */
type OpenTurn = Turn & BegunTurn & { readonly assistant: ChatAssistant };

/** A turn with nothing left to do. */
interface FinishedTurn {
  readonly reply: ChatReply;
}

/**
 * A message in, an answer out. The message is stored and its price held before the model is asked; the answer is
 * stored and the price captured in one transaction, or the price given back. Whatever process dies when: a message is
 * charged once, with its answer, or not at all.
 */
@Injectable()
export class ChatService {
  constructor(
    private readonly turns: TurnsRepository,
    private readonly messages: CustomerMessagesService,
    private readonly origins: ConversationOriginsService,
    private readonly assistants: ChatAssistantsService,
    private readonly handoffs: ChatHandoffsService,
    private readonly visitorSpend: VisitorSpendService,
    private readonly visitors: VisitorsService,
    private readonly models: ChatModelRegistry,
    private readonly queue: ConversationQueueService,
    private readonly confirmation: AnswerConfirmationService,
    private readonly leases: TurnLeasesService,
    private readonly endings: ConversationEndingsService,
    private readonly news: ConversationNewsService,
    private readonly metrics: ChatMetricsService,
    private readonly config: ChatConfig,
    private readonly logger: Logger,
  ) {}

  /** Which kind of model answers in a conversation; `sandbox` is no neural network. @throws ConversationNotFoundError */
  async modelProviderOf(conversationId: string): Promise<ChatModelProvider> {
    return (await this.models.select(await this.ownerOf(conversationId))).provider;
  }

  /** The account that pays for a conversation. @throws ConversationNotFoundError */
  async ownerOf(conversationId: string): Promise<number> {
    return (await this.origins.get(conversationId)).userId;
  }

  /**
   * Sends a customer's message and returns the answer.
   *
   * @throws ConversationNotFoundError | ConversationEndedError | InsufficientBalanceError | VisitorLimitError |
   *   OriginNotAllowedError | ProcessingFailedError
   */
  send(
    conversationId: string,
    content: string,
    visitor: Visitor,
    listener?: TurnListener,
  ): Promise<ChatReply> {
    return this.queue.run(conversationId, async () => {
      const turn = await this.open(conversationId, content, visitor);
      return 'reply' in turn ? turn.reply : this.metrics.measure(() => this.answer(turn, content, listener));
    });
  }

  /**
   * Takes the conversation and stores the message, unless the request has its reply already.
   *
   * @throws UnavailableError also when the assistant was another one at every look
   */
  private async open(
    conversationId: string,
    content: string,
    visitor: Visitor,
  ): Promise<OpenTurn | FinishedTurn> {
    const { userId, assistantId, type } = await this.origins.get(conversationId);
    const isTest = type === 'test';
    // The statement that begins the turn looks whether this is still the assistant; what refuses before that must know.
    const known = this.assistants.recall(assistantId);
    let assistant = known && (isTest || this.visitors.admits(known.policy, visitor)) ? known : null;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      assistant ??= await this.assistants.find(userId, assistantId);
      if (!assistant) throw new ConversationNotFoundError();
      const { policy } = assistant;
      if (!isTest) this.visitors.checkOrigin(policy, visitor);
      const budget = isTest ? null : this.visitors.budgetOf(policy);
      const take = this.take.bind(this, conversationId, content, assistant, budget);
      const turn = await (isTest ? take() : this.visitors.watch(policy, take));
      if (turn !== 'outdated') return turn;
      assistant = null;
    }
    // It changes faster than it can be loaded. Nothing is stored: the same message may be sent again.
    throw new UnavailableError();
  }

  /** @param budget what the turn's price is held within; null for a turn that costs nothing */
  private async take(
    conversationId: string,
    content: string,
    assistant: ChatAssistant,
    budget: VisitorBudget | null,
  ): Promise<OpenTurn | FinishedTurn | 'outdated'> {
    const deadline = performance.now() + this.config.turnTimeoutMs;
    for (let wait = 10; ; wait = Math.min(wait * 2, MAX_WAIT_STEP_MS)) {
      const token = randomUUID();
      const hold = budget && this.visitorSpend.termsOf(PRICE, budget);
      const begun = await this.messages.begin({
        conversationId,
        token,
        leaseMs: LEASE_MS,
        content,
        version: assistant.version,
        // What is over does not begin again where the site is switched off; the owner's tests do.
        reactivates: assistant.reactivates && (budget === null || assistant.policy.answersOnSite),
        historyLimit: this.config.historyMessages,
        hold,
      });
      if (begun.outcome === 'replied') return { reply: begun.reply };
      if (begun.outcome === 'begun' || begun.outcome === 'stored') {
        this.news.message(assistant.policy.userId, conversationId, begun.messageId);
        return begun.outcome === 'stored'
          ? { reply: NO_REPLY }
          : { ...begun, conversationId, token, assistant };
      }
      if (begun.outcome === 'outdated') return 'outdated';
      if (begun.outcome !== 'busy') throw await this.refusalOf(begun.outcome, assistant, budget);
      // Another process answers in this conversation.
      if (performance.now() >= deadline) throw new UnavailableError();
      await sleep(wait);
    }
  }

  private async refusalOf(
    outcome: 'missing' | 'ended' | 'refused',
    { policy }: ChatAssistant,
    budget: VisitorBudget | null,
  ): Promise<Error> {
    if (outcome === 'missing') return new ConversationNotFoundError();
    if (outcome === 'ended' || budget === null) return new ConversationEndedError();
    return this.visitorSpend.refusalOf(policy.userId, PRICE.amountMicros, budget);
  }

  private async answer(turn: OpenTurn, content: string, listener?: TurnListener): Promise<ChatReply> {
    const { conversationId } = turn;
    const lease = this.leases.keep(turn);
    const tokens = new TurnTokens(listener);
    try {
      const speaker = await this.handoffs.speakerOf(turn.assistant, partyOf(turn), turn.handoff);
      const handoffs = this.handoffs.of(partyOf(turn), turn.handoff);
      const result = await this.run(turn, speaker, handoffs, content, lease.signal, tokens);
      const { handedTo = speaker } = result;
      const handoff = handoffs.count === 0 ? null : handoffOf(turn, handedTo, handoffs.count);
      const answerId = await this.close(turn, result, handoff, tokens.sum);
      const isKept = await this.confirmation.confirm({ conversationId, answerId });
      if (!isKept) throw new ProcessingFailedError('lost');
      this.news.message(turn.assistant.policy.userId, conversationId, answerId);
      if (result.effects.includes('end-conversation')) this.endings.ended(conversationId);
      return { message: result.text, functionCalls: result.functionCalls };
    } catch (error) {
      await this.abandon(turn, tokens.sum);
      if (!(await this.isTakenFrom(turn))) throw this.asFailure(error);
      // What the caller has seen of the answer does not count.
      listener?.onRestart('');
      return NO_REPLY;
    } finally {
      lease.end();
    }
  }

  private async run(
    turn: OpenTurn,
    speaker: Speaker,
    handoffs: Handoffs,
    message: string,
    lost: AbortSignal,
    listener: TurnListener,
  ): Promise<ChatTurnResult> {
    return runChatTurn({
      ...speaker,
      chatModel: await this.models.select(turn.assistant.policy.userId),
      history: earlierMessages(turn.history, speaker.assistant.tools.size > 0),
      message,
      handoffs,
      limits: this.config,
      signal: AbortSignal.any([timeoutSignal(this.config.turnTimeoutMs), lost]),
      onToolError: (tool, err) => this.logger.error('tool failed', { tool, err }),
      listener,
    });
  }

  /** Stores the answer and charges it. Returns the answer's id. */
  private async close(
    turn: OpenTurn,
    { text, functionCalls, effects }: ChatTurnResult,
    handoff: AnswerHandoff | null,
    tokens: TokenSum,
  ): Promise<number> {
    const endsConversation = effects.includes('end-conversation');
    try {
      const answer = { text, functionCalls, endsConversation, tokens, handoff };
      const answerId = await this.messages.finish(turn, answer);
      if (answerId === null) throw new HoldExpiredError();
      return answerId;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      return this.decide(turn, error);
    }
  }

  /**
   * The connection was lost while the answer was stored: finds out whether it is, and makes sure that what is found stays
   * true.
   *
   * @throws the connection's error when there is no answer, or when the database stays away, so that nobody can say
   */
  private async decide(turn: OpenTurn, lost: UnavailableError): Promise<number> {
    const decided = await untilDatabaseAnswers(
      () => this.turns.abandon(turn),
      (error) => this.logger.warn('answer in doubt', { conversationId: turn.conversationId, err: error }),
    );
    // Nothing is stored or charged: the caller may try again.
    if (!decided || decided.answer === null) throw lost;
    return decided.answer;
  }

  /** Never fails: the caller is to hear why the turn did. What stays held or leased here is freed by its time. */
  private async abandon(turn: OpenTurn, tokens: TokenSum): Promise<void> {
    try {
      await this.turns.abandon(turn, tokens);
    } catch (error) {
      this.logger.warn('failed turn not cleared', { conversationId: turn.conversationId, err: error });
    }
  }

  /** Whether a person has taken over, or ended the conversation, so that nobody waits for this turn's answer any more. */
  private async isTakenFrom({ conversationId }: OpenTurn): Promise<boolean> {
    try {
      return await this.turns.isOutOfAiHands(conversationId);
    } catch (error) {
      this.logger.warn('conversation not looked at', { conversationId, err: error });
      return false;
    }
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

function partyOf({ assistant, variables }: OpenTurn) {
  return { userId: assistant.policy.userId, variables };
}

function handoffOf({ assistant: own }: OpenTurn, { assistant }: Speaker, count: number): AnswerHandoff {
  return assistant.id === own.compiled.id
    ? { speakerId: null, speakerName: null, count }
    : { speakerId: assistant.id, speakerName: assistant.name, count };
}
