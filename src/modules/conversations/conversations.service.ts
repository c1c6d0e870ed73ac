import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/transactions.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { Conversation } from './conversation.entity.js';
import { ConversationNotFoundError } from './conversations.errors.js';
import {
  type ConversationFilter,
  type ConversationRow,
  ConversationsRepository,
  type ListPosition,
} from './conversations.repository.js';
import type { Message } from './message.entity.js';

const HISTORY_LIMIT = 1_000;

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
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

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
    const messageOf = async (messageId: number, tx: Tx) => {
      const [message] = await this.conversations.lastMessages(id, 1, { upTo: messageId }, tx);
      if (!message) throw new Error('a message was stored and is not there');
      return message;
    };
    return this.transactions.runDecided((tx) =>
      this.effect.once(tx, {
        make: async () => {
          const message = {
            conversationId: id,
            userId,
            role: 'assistant',
            author: 'agent',
            content,
          } as const;
          return messageOf(await this.conversations.addMessage(message, tx), tx);
        },
        referenceOf: (message) => message.id,
        recall: (messageId) => messageOf(Number(messageId), tx),
      }),
    );
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
