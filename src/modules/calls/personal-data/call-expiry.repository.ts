import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** Calls that were emptied. */
export interface EmptiedCalls {
  readonly count: number;
  /** Keys of their recordings. */
  readonly recordings: readonly string[];
}

/** Calls that are older than an account keeps them. */
@Injectable()
export class CallExpiryRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first; one that something is left to do for waits. */
  async emptyOld(userId: number, ageMs: number, limit: number, tx: Tx): Promise<EmptiedCalls> {
    const rows = await this.database.query<{ id: number; key: string | null }>(
      `WITH old AS MATERIALIZED (
         SELECT id, recording_key AS key FROM calls
         WHERE user_id = $1 AND erased_at IS NULL AND ended_at IS NOT NULL
           AND created_at < now() - $2 * interval '1 millisecond'
           AND NOT EXISTS (SELECT FROM active_calls WHERE call_id = calls.id)
           AND NOT EXISTS (SELECT FROM dial_attempts WHERE call_id = calls.id AND state <> 'settled')
         ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED),
       silenced AS (DELETE FROM call_turns WHERE call_id IN (SELECT id FROM old))
       UPDATE calls SET client_phone_number = NULL, transcript = '', input_variables = '{}', variables = '{}',
         evaluation = '{}', webhook_response = '{}', function_calls = '[]', recording_key = NULL, recording_bytes = NULL,
         erased_at = now(), updated_at = now()
       FROM old WHERE calls.id = old.id RETURNING calls.id, old.key`,
      [userId, ageMs, limit],
      tx,
    );
    return { count: rows.length, recordings: rows.flatMap(({ key }) => (key === null ? [] : [key])) };
  }

  /** Returns the keys. Nothing that is announced changes, so `updated_at` stays. */
  async forgetOldRecordings(userId: number, ageMs: number, limit: number, tx: Tx): Promise<string[]> {
    const rows = await this.database.query<{ key: string }>(
      `UPDATE calls SET recording_key = NULL, recording_bytes = NULL
       FROM (SELECT id, recording_key FROM calls
             WHERE user_id = $1 AND recording_key IS NOT NULL AND created_at < now() - $2 * interval '1 millisecond'
             ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS old
       WHERE calls.id = old.id RETURNING old.recording_key AS key`,
      [userId, ageMs, limit],
      tx,
    );
    return rows.map(({ key }) => key);
  }
}
