import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { FunctionCall } from '../../runtime/chat-turn.js';
import { Conversation, type ConversationType } from './conversation.entity.js';
import { Message, type MessageAuthor, type MessageRole } from './message.entity.js';

export interface NewMessage {
  readonly conversationId: string;
  readonly userId: number;
  readonly role: MessageRole;
  readonly author: MessageAuthor;
  readonly content: string;
  readonly functionCalls?: readonly FunctionCall[];
  readonly costMicros?: number;
}

/** What never changes about a conversation. */
export type ConversationOrigin = Pick<Conversation, 'userId' | 'assistantId' | 'type'>;

/** A row of the tenant's list. */
export interface ConversationRow {
  readonly conversation: Conversation;
  readonly assistantUuid: string | null;
  readonly assistantName: string | null;
}

export interface ConversationFilter {
  readonly type?: ConversationType;
  readonly assistantId?: number;
  readonly assistantUuid?: string;
}

/** A place in the list: rows come newest first. */
export interface ListPosition {
  readonly createdAt: string;
  readonly id: string;
  readonly direction: 'next' | 'prev';
}

/** A conversation that has just ended. */
export type EndedConversation = Conversation & { readonly endedAt: Date };

const MAX_HISTORY = 1_000;

const IDLE_AT = 'conversation_idle_at(assistant_id)';

@Injectable()
export class ConversationsRepository {
  constructor(private readonly database: Database) {}

  async add(
    conversation: Pick<Conversation, 'id' | 'userId' | 'assistantId' | 'type' | 'variables'>,
    tx: Tx,
  ): Promise<void> {
    const { id, userId, assistantId, type, variables } = conversation;
    await this.database.query(
      `INSERT INTO conversations (id, user_id, assistant_id, type, variables, idle_at)
       SELECT id, user_id, assistant_id, type, variables, ${IDLE_AT}
       FROM (VALUES ($1::uuid, $2::integer, $3::integer, $4, $5::jsonb))
         AS given (id, user_id, assistant_id, type, variables)`,
      [id, userId, assistantId, type, JSON.stringify(variables)],
      tx,
    );
  }

  /** By its id alone: the id is the capability. */
  async findOrigin(id: string): Promise<ConversationOrigin | null> {
    const [row] = await this.database.readPrepared<ConversationOrigin>(
      'SELECT user_id AS "userId", assistant_id AS "assistantId", type FROM conversations WHERE id = $1',
      [id],
    );
    return row ?? null;
  }

  /** The same, with everything it has. */
  find(id: string, tx?: Tx): Promise<Conversation | null> {
    return this.database.manager(tx).findOneBy(Conversation, { id });
  }

  findOwned(userId: number, id: string): Promise<Conversation | null> {
    return this.database.manager().findOneBy(Conversation, { userId, id });
  }

  /** Stores a message and counts it on its conversation. Returns its id. */
  async addMessage(message: NewMessage, tx: Tx): Promise<number> {
    const [row] = await this.database.query<{ id: string }>(
      `WITH counted AS (
         UPDATE conversations SET message_count = message_count + 1, updated_at = now(), idle_at = ${IDLE_AT}
         WHERE id = $1)
       INSERT INTO messages (conversation_id, user_id, role, author, content, function_calls)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
      [
        message.conversationId,
        message.userId,
        message.role,
        message.author,
        message.content,
        message.functionCalls ? JSON.stringify(message.functionCalls) : null,
      ],
      tx,
    );
    return Number(row?.id);
  }

  async hasMessage(conversationId: string, id: number): Promise<boolean> {
    const rows = await this.database.query('SELECT FROM messages WHERE conversation_id = $1 AND id = $2', [
      conversationId,
      id,
    ]);
    return rows.length > 0;
  }

  /** Ends conversations whose time is up and that nobody is answering in. */
  async endIdle(limit: number, tx: Tx): Promise<EndedConversation[]> {
    const rows = await this.database.query<Record<string, unknown>>(
      `UPDATE conversations SET ended_at = now() WHERE id IN (
         SELECT id FROM conversations
         WHERE ended_at IS NULL AND idle_at <= now() AND (turn_token IS NULL OR turn_expires_at < now())
         ORDER BY idle_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING *`,
      [limit],
      tx,
    );
    return rows.map((row) => Object.assign(toConversation(row), { endedAt: row.ended_at as Date }));
  }

  /** What was said, oldest first; of a very long conversation the end. */
  async transcriptOf(conversationId: string, tx: Tx): Promise<Message[]> {
    const messages = await this.database
      .manager(tx)
      .find(Message, { where: { conversationId }, order: { id: 'DESC' }, take: MAX_HISTORY });
    return messages.reverse();
  }

  /** The last messages, oldest first; those before a message, or up to one, when it is given. */
  async lastMessages(
    conversationId: string,
    limit: number,
    { before, upTo }: { before?: number; upTo?: number } = {},
    tx?: Tx,
  ): Promise<Message[]> {
    const query = this.database
      .manager(tx)
      .createQueryBuilder(Message, 'message')
      .where('message.conversation_id = :conversationId', { conversationId })
      .orderBy('message.id', 'DESC')
      .limit(Math.min(limit, MAX_HISTORY));
    if (before !== undefined) query.andWhere('message.id < :before', { before });
    if (upTo !== undefined) query.andWhere('message.id <= :upTo', { upTo });
    return (await query.getMany()).reverse();
  }

  /** Switches the AI; false when the account has no such conversation. */
  async setAiEnabled(userId: number, id: string, aiEnabled: boolean): Promise<boolean> {
    const result = await this.database.manager().update(Conversation, { userId, id }, { aiEnabled });
    return result.affected === 1;
  }

  /** One row more than `limit` when there are more, so that the caller knows. Newest first in either direction. */
  async list(
    userId: number,
    filter: ConversationFilter,
    limit: number,
    at?: ListPosition,
  ): Promise<ConversationRow[]> {
    const backwards = at?.direction === 'prev';
    const query = this.database
      .manager()
      .createQueryBuilder(Conversation, 'conversation')
      .leftJoin('assistants', 'assistant', 'assistant.id = conversation.assistant_id')
      .addSelect(['assistant.uuid', 'assistant.name'])
      .where('conversation.user_id = :userId', { userId })
      .orderBy('conversation.created_at', backwards ? 'ASC' : 'DESC')
      .addOrderBy('conversation.id', backwards ? 'ASC' : 'DESC')
      .limit(limit + 1);
    if (filter.type) query.andWhere('conversation.type = :type', { type: filter.type });
    if (filter.assistantId !== undefined) {
      query.andWhere('conversation.assistant_id = :assistantId', { assistantId: filter.assistantId });
    }
    if (filter.assistantUuid) query.andWhere('assistant.uuid = :uuid', { uuid: filter.assistantUuid });
    if (at) {
      query.andWhere(
        `(conversation.created_at, conversation.id) ${backwards ? '>' : '<'} (:createdAt, :id)`,
        at,
      );
    }
    const { entities, raw } = await query.getRawAndEntities<{
      assistant_uuid: string | null;
      assistant_name: string | null;
    }>();
    return entities.map((conversation, index) => ({
      conversation,
      assistantUuid: raw[index]?.assistant_uuid ?? null,
      assistantName: raw[index]?.assistant_name ?? null,
    }));
  }
}

/** Rows of `RETURNING *` carry column names. */
function toConversation(row: Record<string, unknown>): Conversation {
  return Object.assign(new Conversation(), {
    id: row.id,
    number: row.number,
    userId: row.user_id,
    assistantId: row.assistant_id,
    type: row.type,
    aiEnabled: row.ai_enabled,
    variables: row.variables,
    messageCount: row.message_count,
    totalCostMicros: Number(row.total_cost_micros),
    endedAt: row.ended_at,
    idleAt: row.idle_at,
    turnToken: row.turn_token,
    turnExpiresAt: row.turn_expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
}
