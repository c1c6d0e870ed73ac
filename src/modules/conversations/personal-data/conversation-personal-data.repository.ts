import { Injectable } from '@nestjs/common';
import { type IdPage, idPageOf } from '../../../common/personal-data/id-page.js';
import type { Person } from '../../../common/personal-data/person.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { Evaluation } from '../../../runtime/call/evaluation/evaluation.js';
import type { FunctionCall } from '../../../runtime/chat-turn.js';

/** Rows that are looked at in one go, each with its messages. */
const PAGE = 100;
const START = '-infinity|00000000-0000-0000-0000-000000000000';

/** A conversation with the person, or in which they are named. */
export interface ConversationTrace {
  readonly id: string;
  /** Its variables name the person, or the customer has; in others another person mentions the number. */
  readonly isOwn: boolean;
  /** An answer is being given. */
  readonly isBusy: boolean;
}

/** The text of one message. */
export interface MessageText {
  readonly id: string;
  readonly content: string;
  readonly functionCalls: readonly FunctionCall[] | null;
}

/** Where conversations hold the number of a person. */
@Injectable()
export class ConversationPersonalDataRepository {
  constructor(private readonly database: Database) {}

  /** Conversations in the order they were opened. */
  async nextConversations(userId: number, after: string | null, tx?: Tx): Promise<IdPage<string>> {
    const rows = await this.database.query<{ id: string; cursor: string }>(
      `SELECT id, created_at || '|' || id AS cursor FROM conversations
       WHERE user_id = $1 AND (created_at, id) > (split_part($2, '|', 1)::timestamptz, split_part($2, '|', 2)::uuid)
       ORDER BY created_at, id LIMIT $3`,
      [userId, after ?? START, PAGE],
      tx,
    );
    return idPageOf(rows, PAGE);
  }

  tracesIn({ userId, pattern }: Person, ids: readonly string[], tx?: Tx): Promise<ConversationTrace[]> {
    return this.database.query(
      `SELECT * FROM (
         SELECT id,
           variables::text ~ $3 OR EXISTS (
             SELECT FROM messages WHERE conversation_id = conversations.id AND author = 'customer' AND content ~ $3)
             AS "isOwn",
           last_message ~ $3 OR extracted_variables::text ~ $3
             OR EXISTS (SELECT FROM conversation_tags WHERE conversation_id = conversations.id AND tag ~ $3) OR EXISTS (
             SELECT FROM messages WHERE conversation_id = conversations.id
               AND (content ~ $3 OR function_calls::text ~ $3)) AS "isNamed",
           turn_token IS NOT NULL AND turn_expires_at >= now() AS "isBusy"
         FROM conversations WHERE user_id = $1 AND id = ANY($2::uuid[])) AS found
       WHERE "isOwn" OR "isNamed" ORDER BY id`,
      [userId, ids, pattern],
      tx,
    );
  }

  /** Conversations as they are given to the person. */
  records(userId: number, ids: readonly string[]): Promise<Readonly<Record<string, unknown>>[]> {
    return this.database.values<Record<string, unknown>>(
      `SELECT jsonb_build_object('id', id, 'type', type, 'variables', variables,
         'extracted_variables', extracted_variables, 'created_at', created_at,
         'ended_at', ended_at,
         'tags', ARRAY(SELECT tag FROM conversation_tags WHERE conversation_id = conversations.id ORDER BY tag),
         'messages', coalesce((
           SELECT jsonb_agg(jsonb_build_object('author', author, 'content', content, 'function_calls', function_calls,
             'created_at', created_at) ORDER BY messages.id)
           FROM messages WHERE conversation_id = conversations.id), '[]')) AS record
       FROM conversations WHERE user_id = $1 AND id = ANY($2::uuid[]) ORDER BY id`,
      [userId, ids],
    );
  }

  /**
   * False when it is gone, an answer is being given, or its evaluation is; otherwise none begins until the transaction ends. One of
   * the person's own is emptied all the same: with its end nothing is left that an evaluation could be stored for.
   */
  lock(userId: number, { id, isOwn }: ConversationTrace, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `SELECT FROM conversations WHERE user_id = $1 AND id = $2
         AND (turn_token IS NULL OR turn_expires_at < now())
         AND ($3 OR NOT EXISTS (SELECT FROM conversation_endings WHERE conversation_id = conversations.id)) FOR UPDATE`,
      [userId, id, isOwn],
      tx,
    );
  }

  /** Ends a conversation and empties it of everything about the person. Its messages stay for what they cost. */
  async empty(userId: number, id: string, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE messages SET content = '', function_calls = NULL WHERE conversation_id = $1 AND user_id = $2`,
      [id, userId],
      tx,
    );
    await this.database.query(
      `UPDATE conversations SET variables = '{}', lookup_variables = NULL, extracted_variables = '{}', last_message = NULL,
         last_author = NULL, last_message_at = NULL,
         unread_count = 0, waiting_since = NULL, ended_at = coalesce(ended_at, now()), updated_at = now()
       WHERE user_id = $1 AND id = $2`,
      [userId, id],
      tx,
    );
    await this.database.query('DELETE FROM conversation_tags WHERE conversation_id = $1', [id], tx);
    await this.database.query('DELETE FROM conversation_words WHERE conversation_id = $1', [id], tx);
    // Also the one that was written by the statement before.
    await this.database.query('DELETE FROM conversation_endings WHERE conversation_id = $1', [id], tx);
  }

  messagesNaming({ userId, pattern }: Person, conversationId: string, tx: Tx): Promise<MessageText[]> {
    return this.database.query(
      `SELECT id, content, function_calls AS "functionCalls" FROM messages
       WHERE conversation_id = $1 AND user_id = $2 AND (content ~ $3 OR function_calls::text ~ $3)`,
      [conversationId, userId, pattern],
      tx,
    );
  }

  async replaceMessage(userId: number, { id, content, functionCalls }: MessageText, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE messages SET content = $3, function_calls = $4 WHERE id = $1 AND user_id = $2',
      [id, userId, content, functionCalls && JSON.stringify(functionCalls)],
      tx,
    );
  }

  /** What its evaluation has found; null when it does not name the person. */
  findingsNaming({ userId, pattern }: Person, id: string, tx: Tx): Promise<Evaluation | null> {
    return this.database.value<Evaluation>(
      `SELECT extracted_variables AS findings FROM conversations
       WHERE user_id = $1 AND id = $2 AND extracted_variables::text ~ $3`,
      [userId, id, pattern],
      tx,
    );
  }

  async replaceFindings(userId: number, id: string, findings: Evaluation, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE conversations SET extracted_variables = $3 WHERE user_id = $1 AND id = $2',
      [userId, id, JSON.stringify(findings)],
      tx,
    );
  }

  /** Deletes tags of another party's conversation that name the person. */
  async deleteTagsNaming({ userId, pattern }: Person, id: string, tx: Tx): Promise<void> {
    await this.database.query(
      'DELETE FROM conversation_tags WHERE conversation_id = $1 AND user_id = $2 AND tag ~ $3',
      [id, userId, pattern],
      tx,
    );
  }

  /** Shows how the last message begins now. */
  async followLastMessage(userId: number, id: string, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE conversations SET last_message = (
         SELECT left(content, 200) FROM messages WHERE conversation_id = $2 ORDER BY messages.id DESC LIMIT 1)
       WHERE user_id = $1 AND id = $2 AND last_message IS NOT NULL`,
      [userId, id],
      tx,
    );
  }
}
