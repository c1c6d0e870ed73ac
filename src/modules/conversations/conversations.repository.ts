import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { FunctionCall } from '../../runtime/chat-turn.js';
import { Conversation } from './conversation.entity.js';
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
export type ConversationOrigin = Pick<
  Conversation,
  'userId' | 'assistantId' | 'type' | 'byVisitor' | 'lookupVariables'
>;

export type NewConversationRow = ConversationOrigin & Pick<Conversation, 'id' | 'variables'>;

/** A conversation that has just ended. */
export type EndedConversation = Pick<Conversation, 'id' | 'userId'>;

const MAX_HISTORY = 1_000;

const IDLE_AT = 'conversation_idle_at(assistant_id)';

@Injectable()
export class ConversationsRepository {
  constructor(private readonly database: Database) {}

  async add(conversation: NewConversationRow, tx: Tx): Promise<void> {
    const { id, userId, assistantId, type, variables, byVisitor, lookupVariables } = conversation;
    await this.database.query(
      `WITH added AS (
         INSERT INTO conversations
           (id, user_id, assistant_id, type, variables, by_visitor, lookup_variables, idle_at)
         SELECT id, user_id, assistant_id, type, variables, by_visitor, lookup_variables, ${IDLE_AT}
         FROM (VALUES ($1::uuid, $2::integer, $3::integer, $4, $5::jsonb, $6::boolean, $7::jsonb))
           AS given (id, user_id, assistant_id, type, variables, by_visitor, lookup_variables)
         RETURNING id)
       INSERT INTO conversation_words (conversation_id, words)
       SELECT id, words_of_account($2, string_agg(value #>> '{}', ' '))
       FROM added, jsonb_path_query($5, '$.**') value WHERE jsonb_typeof(value) IN ('string', 'number') GROUP BY id`,
      [
        id,
        userId,
        assistantId,
        type,
        JSON.stringify(variables),
        byVisitor,
        lookupVariables && JSON.stringify(lookupVariables),
      ],
      tx,
    );
  }

  /** By its id alone: the id is the capability. */
  async findOrigin(id: string): Promise<ConversationOrigin | null> {
    const [row] = await this.database.readPrepared<ConversationOrigin>(
      `SELECT user_id AS "userId", assistant_id AS "assistantId", type, by_visitor AS "byVisitor",
         lookup_variables AS "lookupVariables"
       FROM conversations WHERE id = $1`,
      [id],
    );
    return row ?? null;
  }

  /** The same, with everything it has. */
  find(id: string, tx?: Tx): Promise<Conversation | null> {
    return this.database.manager(tx).findOneBy(Conversation, { id });
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

  hasMessage(conversationId: string, id: number): Promise<boolean> {
    return this.database.matches('SELECT FROM messages WHERE conversation_id = $1 AND id = $2', [
      conversationId,
      id,
    ]);
  }

  /** Ends conversations whose time is up and in which no answer is being written. */
  endIdle(limit: number, tx?: Tx): Promise<EndedConversation[]> {
    return this.database.query<EndedConversation>(
      `UPDATE conversations SET ended_at = now() WHERE id IN (
         SELECT id FROM conversations
         WHERE ended_at IS NULL AND idle_at <= now() AND (turn_token IS NULL OR turn_expires_at < now())
         ORDER BY idle_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, user_id AS "userId"`,
      [limit],
      tx,
    );
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

  /** Parts up to `limit` conversations from an assistant. Whether there may be more. */
  async detachSome(userId: number, assistantId: number, limit: number): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE conversations SET assistant_id = NULL
       WHERE id IN (SELECT id FROM conversations WHERE assistant_id = $2 AND user_id = $1 LIMIT $3) RETURNING 1`,
      [userId, assistantId, limit],
    );
    return rows.length === limit;
  }

  /**
   * Switches the AI; false when the account has no such conversation. When it is off, the customer waits for a
   * person, unless the conversation is over. When it is on, the customer does not wait.
   */
  setAiEnabled(userId: number, id: string, aiEnabled: boolean): Promise<boolean> {
    return this.database.matches(
      `UPDATE conversations SET ai_enabled = $3, updated_at = now(),
         waiting_since = CASE WHEN $3 THEN NULL WHEN ai_enabled THEN coalesce(waiting_since, now()) ELSE waiting_since END,
         taken_over_at = CASE WHEN $3 THEN NULL ELSE taken_over_at END
       WHERE user_id = $1 AND id = $2 RETURNING id`,
      [userId, id, aiEnabled],
    );
  }
}
