import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { isOfPerson } from '../../../common/auth/scopes.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { Message } from '../message.entity.js';
import { ConversationTag } from './conversation-tag.entity.js';

/** Which messages of a thread: the last ones, those before a message, or the first ones after one. */
export interface ThreadRequest {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Whom a conversation is assigned to: a member, the owner, or with neither no person. */
export interface Assignment {
  readonly memberId: number | null;
  readonly isOwner: boolean;
}

/** A person has it: the AI is off, and a turn that is running has lost it. */
const TAKEN = `ai_enabled = false, taken_over_at = coalesce(taken_over_at, now()),
  turn_token = NULL, turn_expires_at = NULL`;
/** Assigns an unassigned conversation. Parameters 3 and 4: the id of the member, and whether it is the owner. */
const ASSIGNED_IF_FREE = `assignee_id = CASE WHEN assigned_to_owner THEN NULL ELSE
    coalesce(assignee_id, (SELECT members.id FROM members WHERE members.user_id = $1 AND members.id = $3)) END,
  assigned_to_owner = assigned_to_owner OR (assignee_id IS NULL AND $4)`;
/** The AI answers, and the customer does not wait for a person. */
const HANDED_BACK = 'ai_enabled = true, taken_over_at = NULL, waiting_since = NULL';

/** Remembers the state that a conversation has before it ends. Its end identifies it: other causes end conversations too. */
const KEEP_STATE = `before_close = CASE WHEN ended_at IS NULL THEN jsonb_build_object('ended_at', now(),
    'ai_enabled', ai_enabled, 'taken_over_at', taken_over_at, 'waiting_since', waiting_since) ELSE before_close END`;
const restored = (column: string, type: string) => `${column} = CASE
    WHEN (before_close ->> 'ended_at')::timestamptz = ended_at THEN (before_close ->> '${column}')::${type}
    ELSE ${column} END`;
const REOPENED = `${restored('ai_enabled', 'boolean')}, ${restored('taken_over_at', 'timestamptz')},
  ${restored('waiting_since', 'timestamptz')}, ended_at = NULL, before_close = NULL,
  idle_at = CASE WHEN ended_at IS NULL THEN idle_at ELSE conversation_idle_at(assistant_id) END`;

/** What people do in a conversation. Each answers false when the account has no such conversation. */
@Injectable()
export class InboxRepository {
  constructor(private readonly database: Database) {}

  /** Also assigns it to the person who takes it over, unless it is assigned already. An API key is no person. */
  takeOver(caller: Principal, id: string): Promise<boolean> {
    return this.change(caller.userId, id, `${TAKEN}, ${ASSIGNED_IF_FREE}`, assignmentOf(caller));
  }

  assign(userId: number, id: string, { memberId, isOwner }: Assignment): Promise<boolean> {
    return this.change(userId, id, 'assignee_id = $3, assigned_to_owner = $4', [memberId, isOwner]);
  }

  handBack(userId: number, id: string): Promise<boolean> {
    return this.change(userId, id, HANDED_BACK);
  }

  /** Ends it, even during a turn; a customer who writes again is answered by the AI. */
  close(userId: number, id: string): Promise<boolean> {
    return this.change(
      userId,
      id,
      `${KEEP_STATE}, ${HANDED_BACK}, ended_at = coalesce(ended_at, now()), unread_count = 0, turn_token = NULL, turn_expires_at = NULL`,
    );
  }

  /** With the state from before it was closed by a person; the AI answers where it ended otherwise. */
  reopen(userId: number, id: string): Promise<boolean> {
    return this.change(userId, id, REOPENED);
  }

  markRead(userId: number, id: string): Promise<boolean> {
    return this.change(userId, id, 'unread_count = 0');
  }

  markUnread(userId: number, id: string): Promise<boolean> {
    return this.change(userId, id, 'unread_count = greatest(unread_count, 1)');
  }

  /** Locks a conversation of the account. False when there is none. */
  lock(userId: number, id: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'SELECT 1 FROM conversations WHERE user_id = $1 AND id = $2 FOR UPDATE',
      [userId, id],
      tx,
    );
  }

  async replaceTags(userId: number, id: string, tags: readonly string[], tx: Tx): Promise<void> {
    const manager = this.database.manager(tx);
    await manager.delete(ConversationTag, { userId, conversationId: id });
    if (tags.length > 0)
      await manager.insert(
        ConversationTag,
        tags.map((tag) => ({ userId, conversationId: id, tag })),
      );
  }

  /** Stores a person's message and takes the conversation over with it. Null when the account has no such conversation. */
  async reply(caller: Principal, id: string, content: string, tx: Tx): Promise<Message | null> {
    const { userId, memberId } = caller;
    const [row] = await this.database.query<Record<string, unknown>>(
      `WITH taken AS (
         UPDATE conversations SET ${TAKEN}, ${ASSIGNED_IF_FREE},
           ended_at = NULL, idle_at = conversation_idle_at(assistant_id), message_count = message_count + 1,
           last_message = left($5, 200), last_author = 'agent', last_message_at = now(), updated_at = now(),
           waiting_since = NULL, unread_count = 0
         WHERE user_id = $1 AND id = $2 RETURNING id)
       INSERT INTO messages (conversation_id, user_id, role, author, content, member_id, member_name)
       SELECT id, $1, 'assistant', 'agent', $5, $6, (SELECT name FROM members WHERE user_id = $1 AND id = $6) FROM taken
       RETURNING id, role, author, content, created_at`,
      [userId, id, ...assignmentOf(caller), content, memberId ?? null],
      tx,
    );
    if (!row) return null;
    const { created_at: createdAt, ...rest } = row;
    return Object.assign(new Message(), rest, { createdAt, functionCalls: null });
  }

  getMessage(conversationId: string, id: string, tx: Tx): Promise<Message> {
    return this.database.manager(tx).findOneByOrFail(Message, { conversationId, id });
  }

  /** Up to one more than the limit, oldest first. By the conversation alone: the caller has checked who owns it. */
  async thread(conversationId: string, { before, after, limit }: ThreadRequest): Promise<Message[]> {
    const isForward = after !== undefined && before === undefined;
    const query = this.database
      .manager()
      .createQueryBuilder(Message, 'message')
      .where('message.conversation_id = :conversationId', { conversationId })
      .orderBy('message.id', isForward ? 'ASC' : 'DESC')
      .limit(limit + 1);
    if (before !== undefined) query.andWhere('message.id < :before', { before });
    if (after !== undefined) query.andWhere('message.id > :after', { after });
    const messages = await query.getMany();
    return isForward ? messages : messages.reverse();
  }

  /** @param more parameters 3 and up of `set` */
  private change(userId: number, id: string, set: string, more: readonly unknown[] = []): Promise<boolean> {
    return this.database.matches(
      `UPDATE conversations SET ${set} WHERE user_id = $1 AND id = $2 RETURNING id`,
      [userId, id, ...more],
    );
  }
}

function assignmentOf(caller: Principal): readonly [number | null, boolean] {
  if (!isOfPerson(caller)) return [null, false];
  const { memberId } = caller;
  return [memberId ?? null, memberId === undefined];
}
