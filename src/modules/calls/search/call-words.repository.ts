import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** What calls are found by. New calls and changes are indexed by triggers. */
@Injectable()
export class CallWordsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Below which id calls may have no words yet, locked until the transaction ends; null when all have them, or another process
   * indexes them.
   */
  lockBacklog(tx: Tx): Promise<number | null> {
    return this.database.value<number>(
      'SELECT before_id AS before FROM call_words_backlog FOR UPDATE SKIP LOCKED',
      [],
      tx,
    );
  }

  /**
   * Indexes the calls with the highest ids below a given one. Their rows are locked, so that none is erased in between. Returns the
   * lowest of their ids; null when there were none.
   */
  addBelow(id: number, limit: number, tx: Tx): Promise<number | null> {
    return this.database.value<number>(
      `WITH taken AS MATERIALIZED (
         SELECT id, user_id, client_phone_number, transcript, created_at FROM calls
         WHERE id < $1 ORDER BY id DESC LIMIT $2 FOR SHARE),
       added AS (
         INSERT INTO call_words (call_id, created_at, words)
         SELECT id, created_at, words FROM (
           SELECT id, created_at, words_of_call(user_id, client_phone_number, transcript) AS words FROM taken) AS indexed
         WHERE words <> ''
         ON CONFLICT (call_id) DO NOTHING)
       SELECT min(id) AS lowest FROM taken`,
      [id, limit],
      tx,
    );
  }

  async setBacklog(before: number, tx: Tx): Promise<void> {
    await this.database.query('UPDATE call_words_backlog SET before_id = $1', [before], tx);
  }

  async clearBacklog(tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM call_words_backlog', [], tx);
  }
}
