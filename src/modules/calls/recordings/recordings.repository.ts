import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { RecordingSkip } from '../../../runtime/call/recording-file.js';
import type { Tx } from '../../../database/transactions.js';

/** A recording in the storage. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
}

/** A call, as far as it decides what becomes of a recording that was found on the disk. */
export interface RecordedCall {
  readonly userId: number;
  readonly isOver: boolean;
  readonly hasRecording: boolean;
}

const FILE = 'recording_key AS key, recording_bytes AS bytes';

@Injectable()
export class RecordingsRepository {
  constructor(private readonly database: Database) {}

  /** Null for a call without one; undefined when there is no such call. */
  async find(userId: number, callId: number): Promise<StoredFile | null | undefined> {
    const [row] = await this.database.query<StoredFile | { readonly key: null }>(
      `SELECT ${FILE} FROM calls WHERE user_id = $1 AND id = $2`,
      [userId, callId],
    );
    return row && (row.key === null ? null : row);
  }

  /** The same for the holder of a link, which names no account. */
  findLinked(callId: number): Promise<StoredFile | null> {
    return this.database.first<StoredFile>(
      `SELECT ${FILE} FROM calls WHERE id = $1 AND recording_enabled AND recording_key IS NOT NULL`,
      [callId],
    );
  }

  /** Null when it was deleted, or the person on it was erased. */
  findCall(callId: number): Promise<RecordedCall | null> {
    return this.database.first<RecordedCall>(
      `SELECT user_id AS "userId", ended_at IS NOT NULL AS "isOver", recording_key IS NOT NULL AS "hasRecording"
       FROM calls WHERE id = $1 AND erased_at IS NULL`,
      [callId],
    );
  }

  /** Nothing that is announced changes, so `updated_at` stays. */
  async skip(
    { userId, id }: { readonly userId: number; readonly id: number },
    reason: RecordingSkip,
  ): Promise<void> {
    await this.database.query('UPDATE calls SET recording_skipped = $3 WHERE user_id = $1 AND id = $2', [
      userId,
      id,
      reason,
    ]);
  }

  /** False when the call is gone or its person was erased, or it has a recording already. Nothing that is announced changes, so `updated_at` stays. */
  keep(userId: number, callId: number, { key, bytes }: StoredFile, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `UPDATE calls SET recording_key = $3, recording_bytes = $4
       WHERE user_id = $1 AND id = $2 AND recording_key IS NULL AND erased_at IS NULL RETURNING id`,
      [userId, callId, key, bytes],
      tx,
    );
  }

  /**
   * Detaches recordings older than that from their calls. Returns the keys. What is announced does not change, so `updated_at`
   * stays.
   *
   * @param userId null: of all accounts
   */
  forgetOld(userId: number | null, maxAgeMs: number, limit: number, tx: Tx): Promise<string[]> {
    return this.database.values<string>(
      `UPDATE calls SET recording_key = NULL, recording_bytes = NULL
       FROM (SELECT id, recording_key FROM calls
             WHERE ${userId === null ? '' : 'user_id = $3 AND '}recording_key IS NOT NULL
               AND created_at < now() - $1 * interval '1 millisecond'
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
       WHERE calls.id = old.id RETURNING old.recording_key AS key`,
      [maxAgeMs, limit, ...(userId === null ? [] : [userId])],
      tx,
    );
  }
}
