import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnauthorizedError } from '../../common/errors/errors.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { InsufficientBalanceError } from '../billing/billing.errors.js';
import { BillingService } from '../billing/billing.service.js';
import { MESSAGE_PRICE_MICROS } from '../billing/money.js';
import { ChatAssistants } from './chat-assistants.service.js';
import type { Conversation, ConversationType } from './conversation.entity.js';
import { ConversationAssistantNotFoundError, ConversationNotFoundError } from './conversations.errors.js';
import {
  type ConversationFilter,
  type ConversationRow,
  ConversationsRepository,
  type ListPosition,
} from './conversations.repository.js';
import type { Message } from './message.entity.js';

const HISTORY_LIMIT = 1_000;

export interface NewConversation {
  readonly assistantUuid: string;
  readonly type: ConversationType;
  readonly variables: Record<string, unknown>;
}

export interface ConversationDetails {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
}

/** One screen of the list, with the ways on and back. */
export interface ConversationSlice {
  readonly rows: readonly ConversationRow[];
  readonly next: ListPosition | null;
  readonly previous: ListPosition | null;
}

@Injectable()
export class ConversationsService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly assistants: AssistantsService,
    private readonly chatAssistants: ChatAssistants,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Opens a conversation; its history is the assistant's first words. A widget conversation needs no token but a
   * balance for one message; a test conversation is free and for the assistant's owner alone.
   *
   * @param callerId the account behind the token, if one was sent
   */
  async create(callerId: number | null, request: NewConversation): Promise<ConversationDetails> {
    if (request.type === 'test' && callerId === null) throw new UnauthorizedError();
    const found = await this.assistants.findByUuid(request.assistantUuid);
    const isVisible = found && (request.type === 'widget' || found.userId === callerId);
    if (!isVisible) throw new ConversationAssistantNotFoundError();
    if (request.type === 'widget' && !(await this.billing.canAfford(found.userId, MESSAGE_PRICE_MICROS))) {
      throw new InsufficientBalanceError();
    }
    const id = randomUUID();
    const { type, variables } = request;
    const { compiled } = await this.chatAssistants.prepare(found);
    const greeting = compiled.greeting(compiled.variablesOf({ variables, now: new Date() }));
    return this.transactions.run(async (tx) => {
      await this.conversations.add({ id, userId: found.userId, assistantId: found.id, type, variables }, tx);
      if (greeting !== '') {
        await this.conversations.addMessage(
          { conversationId: id, userId: found.userId, role: 'assistant', author: 'ai', content: greeting },
          tx,
        );
      }
      return this.read(id, tx);
    });
  }

  /** @throws ConversationNotFoundError */
  async read(id: string, tx?: Tx): Promise<ConversationDetails> {
    const conversation = await this.conversations.find(id, tx);
    if (!conversation) throw new ConversationNotFoundError();
    return { conversation, messages: await this.conversations.lastMessages(id, HISTORY_LIMIT, {}, tx) };
  }

  /** Switches the AI off or on; while it is off, messages are stored and not answered. @throws ConversationNotFoundError */
  async setAiEnabled(userId: number, id: string, enabled: boolean): Promise<void> {
    if (!(await this.conversations.setAiEnabled(userId, id, enabled))) throw new ConversationNotFoundError();
  }

  /** Stores a message of the tenant's own agent. @throws ConversationNotFoundError */
  async addAgentMessage(userId: number, id: string, content: string): Promise<Message> {
    const conversation = await this.conversations.findOwned(userId, id);
    if (!conversation) throw new ConversationNotFoundError();
    return this.transactions.runDecided(async (tx) => {
      const added = await this.conversations.addMessage(
        { conversationId: id, userId, role: 'assistant', author: 'agent', content },
        tx,
      );
      const [message] = await this.conversations.lastMessages(id, 1, { upTo: added }, tx);
      if (!message) throw new Error('a message was stored and is not there');
      return message;
    });
  }

  async list(
    userId: number,
    filter: ConversationFilter,
    limit: number,
    at?: ListPosition,
  ): Promise<ConversationSlice> {
    const found = await this.conversations.list(userId, filter, limit, at);
    const hasMore = found.length > limit;
    const rows = found.slice(0, limit);
    if (at?.direction === 'prev') rows.reverse();
    const [first, last] = [rows[0], rows.at(-1)];
    const forward = at?.direction === 'prev' || hasMore;
    const backward = at !== undefined && (at.direction === 'next' || hasMore);
    return {
      rows,
      next: last && forward ? positionOf(last, 'next') : null,
      previous: first && backward ? positionOf(first, 'prev') : null,
    };
  }
}

function positionOf({ conversation }: ConversationRow, direction: ListPosition['direction']): ListPosition {
  return { createdAt: conversation.createdAt.toISOString(), id: conversation.id, direction };
}
