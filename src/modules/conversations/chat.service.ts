import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../common/errors/errors.js';
import { RequestStillRunningError } from '../idempotency/idempotency.errors.js';
import { Logger } from '../../common/observability/logger.js';
import { timeoutSignal } from '../../common/time/timeout-signal.js';
import { ChatConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { ChatMessage, ChatModelProvider } from '../../providers/llm/chat-model.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import { ModelError } from '../../providers/llm/model-error.js';
import { type ChatTurnResult, runChatTurn, type TurnListener } from '../../runtime/chat-turn.js';
import { HoldExpiredError } from '../billing/billing.errors.js';
import { BillingService } from '../billing/billing.service.js';
import { MESSAGE_PRICE_MICROS } from '../billing/money.js';
import { VisitorSpendService } from '../billing/visitor-spend.service.js';
import type { Visitor } from '../visitors/visitor.js';
import { VisitorsService } from '../visitors/visitors.service.js';
import { AnswerConfirmationService } from './answer-confirmation.service.js';
import { ChatAssistantsService, type ChatAssistant } from './chat-assistants.service.js';
import type { Conversation } from './conversation.entity.js';
import { type ChatReply, CustomerMessagesService, type StoredMessage } from './customer-messages.service.js';
import { ConversationQueueService } from './conversation-queue.service.js';
import {
  ConversationEndedError,
  ConversationNotFoundError,
  ProcessingFailedError,
} from './conversations.errors.js';
import { ConversationsRepository } from './conversations.repository.js';
import type { Message } from './message.entity.js';

/** A dead process frees its conversation after this long. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const MAX_WAIT_STEP_MS = 250;
const PASSED_ON = [ProcessingFailedError, RequestStillRunningError, UnavailableError];

/** A turn under way: the message is stored and its price held. */
interface OpenTurn {
  readonly token: string;
  readonly conversation: Conversation;
  readonly assistant: ChatAssistant;
  readonly messageId: number;
  readonly holdId: string | null;
}

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
    private readonly conversations: ConversationsRepository,
    private readonly messages: CustomerMessagesService,
    private readonly assistants: ChatAssistantsService,
    private readonly billing: BillingService,
    private readonly visitorSpend: VisitorSpendService,
    private readonly visitors: VisitorsService,
    private readonly models: ChatModelRegistry,
    private readonly queue: ConversationQueueService,
    private readonly confirmation: AnswerConfirmationService,
    private readonly transactions: Transactions,
    private readonly config: ChatConfig,
    private readonly logger: Logger,
  ) {}

  /** Which kind of model answers; `sandbox` is no neural network. */
  get modelProvider(): ChatModelProvider {
    return this.models.select().provider;
  }

  /** The account that pays for a conversation. @throws ConversationNotFoundError */
  async ownerOf(conversationId: string): Promise<number> {
    const conversation = await this.conversations.find(conversationId);
    if (!conversation) throw new ConversationNotFoundError();
    return conversation.userId;
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
      return 'reply' in turn ? turn.reply : this.answer(turn, content, listener);
    });
  }

  /** Takes the conversation and stores the message, unless the request has its reply already. */
  private async open(
    conversationId: string,
    content: string,
    visitor: Visitor,
  ): Promise<OpenTurn | FinishedTurn> {
    const found = await this.conversations.find(conversationId);
    if (!found) throw new ConversationNotFoundError();
    const assistant = await this.assistants.find(found.userId, found.assistantId);
    if (!assistant) throw new ConversationNotFoundError();
    if (found.type === 'widget') this.visitors.checkOrigin(assistant.policy, visitor);
    return this.visitors.watch(assistant.policy, () => this.takeTurn(conversationId, content, assistant));
  }

  private async takeTurn(
    conversationId: string,
    content: string,
    assistant: ChatAssistant,
  ): Promise<OpenTurn | FinishedTurn> {
    const deadline = performance.now() + this.config.turnTimeoutMs;
    for (let wait = 10; ; wait = Math.min(wait * 2, MAX_WAIT_STEP_MS)) {
      const token = randomUUID();
      const opened = await this.transactions.run((tx) =>
        this.store(conversationId, token, content, assistant, tx),
      );
      if (opened !== 'busy') return opened;
      // Another process answers in this conversation.
      if (performance.now() >= deadline) throw new UnavailableError();
      await sleep(wait);
    }
  }

  private async store(
    conversationId: string,
    token: string,
    content: string,
    assistant: ChatAssistant,
    tx: Tx,
  ): Promise<OpenTurn | FinishedTurn | 'busy'> {
    const conversation = await this.conversations.takeTurn(conversationId, token, LEASE_MS, tx);
    if (!conversation) return 'busy';
    const add = () => this.addMessage(conversation, content, assistant, tx);
    const message = await this.messages.once(conversationId, add, tx);
    if (message.reply) {
      await this.conversations.releaseTurn(conversationId, token, tx);
      return { reply: message.reply };
    }
    const { id: messageId } = message;
    // The answer's own commit confirms all of this before the caller hears anything.
    if (conversation.aiEnabled) await this.transactions.commitWithoutWaiting(tx);
    // The wallet comes last: all of an account's conversations wait for its row.
    const holdId = conversation.type === 'widget' ? await this.hold(assistant, message, tx) : null;
    if (conversation.aiEnabled) return { token, conversation, assistant, messageId, holdId };
    await this.messages.rememberAnswer(messageId, null, tx);
    await this.settle(conversation, messageId, holdId, tx);
    await this.conversations.releaseTurn(conversationId, token, tx);
    return { reply: { message: '', functionCalls: [] } };
  }

  private async addMessage(
    { id, userId, endedAt }: Conversation,
    content: string,
    assistant: ChatAssistant,
    tx: Tx,
  ): Promise<number> {
    if (endedAt) {
      if (!assistant.reactivates) throw new ConversationEndedError();
      await this.conversations.reactivate(id, tx);
    }
    const message = { conversationId: id, userId, role: 'user', author: 'customer', content } as const;
    return this.conversations.addMessage(message, tx);
  }

  private async hold({ policy }: ChatAssistant, { id, isRepeated }: StoredMessage, tx: Tx): Promise<string> {
    const charge = {
      kind: 'message',
      amountMicros: MESSAGE_PRICE_MICROS,
      reference: `message:${id}`,
    } as const;
    const open = isRepeated ? await this.billing.resumeHold(policy.userId, charge.reference, tx) : null;
    if (open !== null) return open;
    return this.visitorSpend.hold(policy.userId, charge, this.visitors.budgetOf(policy), tx);
  }

  private async settle(
    { id }: Conversation,
    messageId: number,
    holdId: string | null,
    tx: Tx,
  ): Promise<void> {
    if (!holdId) return;
    await this.conversations.addCost(id, messageId, MESSAGE_PRICE_MICROS, tx);
    await this.billing.capture(holdId, tx);
  }

  private async answer(turn: OpenTurn, content: string, listener?: TurnListener): Promise<ChatReply> {
    const { conversation, token } = turn;
    const heartbeat = setInterval(() => {
      this.conversations
        .renewTurn(conversation.id, token, LEASE_MS)
        .catch((error: unknown) => this.logger.warn('turn lease not renewed', { err: error }));
    }, RENEW_MS);
    try {
      const result = await this.run(turn, content, listener);
      const answerId = await this.close(turn, result);
      const isKept = await this.confirmation.confirm({ conversationId: conversation.id, token, answerId });
      if (!isKept) throw new ProcessingFailedError('lost');
      return { message: result.text, functionCalls: result.functionCalls };
    } catch (error) {
      await this.abandon(turn);
      throw this.asFailure(error);
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async run(turn: OpenTurn, message: string, listener?: TurnListener): Promise<ChatTurnResult> {
    const { conversation, assistant, messageId } = turn;
    const earlier = await this.conversations.lastMessages(conversation.id, this.config.historyMessages, {
      before: messageId,
    });
    const { compiled } = assistant;
    return runChatTurn({
      assistant: compiled,
      chatModel: this.models.select(),
      history: earlier.map(toChatMessage),
      message,
      variables: compiled.variablesOf({ variables: conversation.variables, now: new Date() }),
      limits: this.config,
      signal: timeoutSignal(this.config.turnTimeoutMs),
      onToolError: (tool, err) => this.logger.error('tool failed', { tool, err }),
      ...(listener ? { listener } : {}),
    });
  }

  /** Stores the answer and charges it. Returns the answer's id. */
  private close(
    { conversation, token, messageId, holdId }: OpenTurn,
    result: ChatTurnResult,
  ): Promise<number> {
    return this.transactions.runDecided(async (tx) => {
      // Giving the conversation back is durable and confirms this, without keeping the account's wallet locked.
      await this.transactions.commitWithoutWaiting(tx);
      const { id: conversationId, userId } = conversation;
      if (!(await this.conversations.holdsTurn(conversationId, token, tx))) throw new HoldExpiredError();
      if (result.effects.includes('end-conversation')) await this.conversations.end(conversationId, tx);
      const { text: content, functionCalls } = result;
      const answerId = await this.conversations.addMessage(
        { conversationId, userId, role: 'assistant', author: 'ai', content, functionCalls },
        tx,
      );
      await this.messages.rememberAnswer(messageId, answerId, tx);
      await this.settle(conversation, messageId, holdId, tx);
      return answerId;
    });
  }

  /** Never fails: the caller is to hear why the turn did. What stays held or leased here is freed by its time. */
  private async abandon({ conversation, token, holdId }: OpenTurn): Promise<void> {
    try {
      await this.transactions.run(async (tx) => {
        await this.conversations.releaseTurn(conversation.id, token, tx);
        if (holdId) await this.billing.void(holdId, tx);
      });
    } catch (error) {
      this.logger.warn('failed turn not cleared', { conversationId: conversation.id, err: error });
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

function toChatMessage({ role, content }: Message): ChatMessage {
  return { role, content };
}
