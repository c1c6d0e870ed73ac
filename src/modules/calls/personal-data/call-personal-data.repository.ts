import { Injectable } from '@nestjs/common';
import { type IdPage, idPageOf } from '../../../common/personal-data/id-page.js';
import type { Person } from '../../../common/personal-data/person.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { Call } from '../call.entity.js';

/** Rows that are looked at in one go: their transcripts are long. */
const PAGE = 200;
const START = '-infinity|0';

/** A call with the person, or in which they are named. */
export interface CallTrace {
  readonly id: number;
  /** A call with the person; otherwise another party mentions the number. */
  readonly isOwn: boolean;
  /** Its line is open, its evaluation is not done, or a lead waits for its outcome. */
  readonly isBusy: boolean;
}

export type CallPersonalData = Readonly<Record<string, unknown>> & { readonly id: number };

/** Calls that were emptied. */
export interface EmptiedCalls {
  readonly count: number;
  /** Keys of their recordings. */
  readonly recordings: readonly string[];
}

/** What of a call was said or written by people. */
export type CallTexts = Pick<
  Call,
  | 'clientPhoneNumber'
  | 'transcript'
  | 'inputVariables'
  | 'variables'
  | 'evaluation'
  | 'webhookResponse'
  | 'functionCalls'
  | 'desk'
>;

export interface CallTurnText {
  readonly position: number;
  readonly text: string;
}

const TEXTS = `transcript, input_variables AS "inputVariables", variables, evaluation,
  webhook_response AS "webhookResponse", function_calls AS "functionCalls", desk, client_phone_number AS "clientPhoneNumber"`;

/** Where calls hold the number of a person. */
@Injectable()
export class CallPersonalDataRepository {
  constructor(private readonly database: Database) {}

  /** Calls in the order they began. */
  async nextCalls(userId: number, after: string | null, tx?: Tx): Promise<IdPage<number>> {
    const rows = await this.database.query<{ id: number; cursor: string }>(
      `SELECT id, created_at || '|' || id AS cursor FROM calls
       WHERE user_id = $1
         AND (created_at, id) > (split_part($2, '|', 1)::timestamptz, split_part($2, '|', 2)::integer)
       ORDER BY created_at, id LIMIT $3`,
      [userId, after ?? START, PAGE],
      tx,
    );
    return idPageOf(rows, PAGE);
  }

  /** A call without a number, from a browser, is the person's when its variables name them. */
  tracesIn({ userId, pattern }: Person, ids: readonly number[], tx?: Tx): Promise<CallTrace[]> {
    return this.database.query(
      `SELECT * FROM (
         SELECT id,
           CASE WHEN client_phone_number IS NULL THEN (input_variables::text || variables::text) ~ $3
                ELSE client_phone_number ~ $3 END AS "isOwn",
           (transcript || ' ' || input_variables || variables || evaluation || webhook_response || function_calls || desk) ~ $3
             OR EXISTS (SELECT FROM call_turns WHERE call_id = calls.id AND text ~ $3)
             OR EXISTS (SELECT FROM call_notes WHERE call_id = calls.id AND text ~ $3)
             OR EXISTS (SELECT FROM call_tags WHERE call_id = calls.id AND tag ~ $3) AS "isNamed",
           EXISTS (SELECT FROM active_calls WHERE call_id = calls.id)
             OR EXISTS (SELECT FROM dial_attempts WHERE call_id = calls.id AND state <> 'settled') AS "isBusy"
         FROM calls WHERE user_id = $1 AND id = ANY($2::integer[])) AS found
       WHERE "isOwn" OR "isNamed" ORDER BY id`,
      [userId, ids, pattern],
      tx,
    );
  }

  /** Calls as they are given to the person. */
  records(userId: number, ids: readonly number[]): Promise<CallPersonalData[]> {
    return this.database.values<CallPersonalData>(
      `SELECT jsonb_build_object('id', id, 'type', type, 'status', status, 'assistant_name', assistant_name,
         'campaign_name', campaign_name, 'lead_id', lead_id, 'client_phone_number', client_phone_number,
         'assistant_phone_number', assistant_phone_number, 'started_at', started_at, 'answered_at', answered_at,
         'ended_at', ended_at, 'duration_seconds', duration_seconds, 'answered_by', answered_by,
         'gatekeeper', gatekeeper, 'end_reason', end_reason,
         'transcript', transcript, 'input_variables', input_variables, 'variables', variables,
         'function_calls', function_calls, 'desk', desk,
         'evaluation', evaluation, 'webhook_response', webhook_response, 'created_at', created_at,
         'is_recorded', recording_key IS NOT NULL,
         'tags', ARRAY(SELECT tag FROM call_tags WHERE call_id = calls.id ORDER BY tag),
         'notes', coalesce((SELECT jsonb_agg(jsonb_build_object('text', text, 'created_at', created_at) ORDER BY id)
            FROM call_notes WHERE call_id = calls.id), '[]'),
         'turns', coalesce((SELECT jsonb_agg(jsonb_build_object('role', role, 'text', text, 'start_ms', start_ms,
            'end_ms', end_ms) ORDER BY position) FROM call_turns WHERE call_id = calls.id), '[]')) AS record
       FROM calls WHERE user_id = $1 AND id = ANY($2::integer[]) ORDER BY id`,
      [userId, ids],
    );
  }

  /**
   * Empties a call that is over of everything about the person. What it cost and when it was stays. Returns the key of its
   * recording; null without one.
   */
  async empty(userId: number, id: number, tx: Tx): Promise<string | null> {
    const [row] = await this.database.query<{ key: string | null }>(
      `UPDATE calls SET client_phone_number = NULL, lead_id = NULL, transcript = '', input_variables = '{}',
         variables = '{}', evaluation = '{}', webhook_response = '{}', function_calls = '[]', desk = '[]',
         recording_key = NULL, recording_bytes = NULL, erased_at = now(), updated_at = now()
       FROM (SELECT id AS old_id, recording_key AS key FROM calls WHERE user_id = $1 AND id = $2 FOR UPDATE) AS old
       WHERE id = old_id RETURNING key`,
      [userId, id],
      tx,
    );
    await this.deleteParts(userId, [id], tx);
    return row?.key ?? null;
  }

  /** Empties calls that are older than that, oldest first. Leaves a call for which work is left. */
  async emptyOld(userId: number, ageMs: number, limit: number, tx: Tx): Promise<EmptiedCalls> {
    const rows = await this.database.query<{ id: number; key: string | null }>(
      `WITH old AS MATERIALIZED (
         SELECT id, recording_key AS key FROM calls
         WHERE user_id = $1 AND erased_at IS NULL AND ended_at IS NOT NULL
           AND created_at < now() - $2 * interval '1 millisecond'
           AND NOT EXISTS (SELECT FROM active_calls WHERE call_id = calls.id)
           AND NOT EXISTS (SELECT FROM dial_attempts WHERE call_id = calls.id AND state <> 'settled')
         ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       UPDATE calls SET client_phone_number = NULL, transcript = '', input_variables = '{}', variables = '{}',
         evaluation = '{}', webhook_response = '{}', function_calls = '[]', desk = '[]', recording_key = NULL, recording_bytes = NULL,
         erased_at = now(), updated_at = now()
       FROM old WHERE calls.id = old.id RETURNING calls.id, old.key`,
      [userId, ageMs, limit],
      tx,
    );
    const ids = rows.map(({ id }) => id);
    await this.deleteParts(userId, ids, tx);
    return { count: rows.length, recordings: rows.flatMap(({ key }) => (key === null ? [] : [key])) };
  }

  /** The words of a call, locked until the transaction ends; null when it is gone. */
  lockTexts(userId: number, id: number, tx: Tx): Promise<CallTexts | null> {
    return this.database.first<CallTexts>(
      `SELECT ${TEXTS} FROM calls WHERE user_id = $1 AND id = $2 FOR UPDATE`,
      [userId, id],
      tx,
    );
  }

  async replaceTexts(userId: number, id: number, texts: CallTexts, tx: Tx): Promise<void> {
    const { transcript, inputVariables, variables, evaluation, webhookResponse, functionCalls, desk } = texts;
    await this.database.query(
      `UPDATE calls SET transcript = $3, input_variables = $4, variables = $5, evaluation = $6, webhook_response = $7,
         function_calls = $8, desk = $9
       WHERE user_id = $1 AND id = $2`,
      [
        userId,
        id,
        transcript,
        ...[inputVariables, variables, evaluation, webhookResponse, functionCalls, desk].map((value) =>
          JSON.stringify(value),
        ),
      ],
      tx,
    );
  }

  turnsNaming({ userId, pattern }: Person, callId: number, tx: Tx): Promise<CallTurnText[]> {
    return this.database.query(
      'SELECT position, text FROM call_turns WHERE call_id = $1 AND user_id = $2 AND text ~ $3',
      [callId, userId, pattern],
      tx,
    );
  }

  /** Deletes notes and tags of another party's call that name the person. */
  async deleteAnnotationsNaming({ userId, pattern }: Person, callId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `WITH tagged AS (DELETE FROM call_tags WHERE call_id = $1 AND user_id = $2 AND tag ~ $3)
       DELETE FROM call_notes WHERE call_id = $1 AND user_id = $2 AND text ~ $3`,
      [callId, userId, pattern],
      tx,
    );
  }

  async replaceTurn(userId: number, callId: number, { position, text }: CallTurnText, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE call_turns SET text = $4 WHERE call_id = $1 AND user_id = $2 AND position = $3',
      [callId, userId, position, text],
      tx,
    );
  }

  /**
   * Deletes turns, notes and tags of calls that this transaction has emptied. Whoever writes a note or tags holds the lock of
   * the call, so only a statement after the one that has waited for the lock sees all of them.
   */
  private async deleteParts(userId: number, callIds: readonly number[], tx: Tx): Promise<void> {
    await this.database.query(
      `WITH noted AS (DELETE FROM call_notes WHERE user_id = $1 AND call_id = ANY($2::integer[])),
         tagged AS (DELETE FROM call_tags WHERE user_id = $1 AND call_id = ANY($2::integer[]))
       DELETE FROM call_turns WHERE user_id = $1 AND call_id = ANY($2::integer[])`,
      [userId, callIds],
      tx,
    );
  }
}
