import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { Erasure, type ErasureStatus } from './erasure.entity.js';

export interface NewErasure {
  readonly userId: number;
  readonly subject: string;
  readonly keepDoNotCall: boolean;
  readonly keepDocuments: boolean;
}

/** How far an erasure is. */
export type ErasureProgress = Pick<
  Erasure,
  'source' | 'after' | 'passes' | 'foundInPass' | 'busyInPass' | 'isWaiting' | 'erased'
>;

@Injectable()
export class ErasuresRepository {
  constructor(private readonly database: Database) {}

  /** Null when the account has one under way of the same number. */
  add({ userId, subject, keepDoNotCall, keepDocuments }: NewErasure, tx: Tx): Promise<number | null> {
    return this.database.value<number>(
      `INSERT INTO erasures (user_id, subject, keep_do_not_call, keep_documents) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, subject) WHERE status = 'processing' DO NOTHING RETURNING id`,
      [userId, subject, keepDoNotCall, keepDocuments],
      tx,
    );
  }

  async seal(userId: number, id: number, sealedPhoneNumber: string, tx: Tx): Promise<void> {
    await this.database.manager(tx).update(Erasure, { userId, id }, { sealedPhoneNumber });
  }

  find(userId: number, id: number): Promise<Erasure | null> {
    return this.database.manager().findOneBy(Erasure, { userId, id });
  }

  findUnderWay(userId: number, subject: string): Promise<Erasure | null> {
    return this.database.manager().findOneBy(Erasure, { userId, subject, status: 'processing' });
  }

  countUnderWay(): Promise<number> {
    return this.database.count("SELECT count(*)::int AS count FROM erasures WHERE status = 'processing'");
  }

  /** Of each account, the one among those that may go on now whose last turn is the longest ago; of so many accounts at most. */
  nextOfEach(limit: number): Promise<number[]> {
    return this.database.values<number>(
      `SELECT id FROM (
         SELECT DISTINCT ON (user_id) id, next_run_at FROM erasures
         WHERE status = 'processing' AND next_run_at <= now() ORDER BY user_id, next_run_at, id) AS of_each
       ORDER BY next_run_at, id LIMIT $1`,
      [limit],
    );
  }

  /** An erasure under way, locked until the transaction ends. */
  lockUnderWay(id: number, tx: Tx): Promise<Erasure | null> {
    return this.database.manager(tx).findOne(Erasure, {
      where: { id, status: 'processing' },
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
  }

  async save(id: number, progress: ErasureProgress, waitMs: number, tx: Tx): Promise<void> {
    const { source, after, passes, foundInPass, busyInPass, isWaiting, erased } = progress;
    await this.database.query(
      `UPDATE erasures SET source = $2, after = $3, passes = $4, found_in_pass = $5, busy_in_pass = $6,
         is_waiting = $7, erased = $8, next_run_at = now() + $9 * interval '1 millisecond' WHERE id = $1`,
      [id, source, after, passes, foundInPass, busyInPass, isWaiting, JSON.stringify(erased), waitMs],
      tx,
    );
  }

  async putOff(id: number, waitMs: number): Promise<void> {
    await this.database.query(
      "UPDATE erasures SET next_run_at = now() + $2 * interval '1 millisecond' WHERE id = $1",
      [id, waitMs],
    );
  }

  /** Ends an erasure, and forgets whose data it was. */
  async finish(id: number, status: Exclude<ErasureStatus, 'processing'>, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE erasures SET status = $2, finished_at = now(), subject = NULL, sealed_phone_number = NULL,
         is_waiting = false WHERE id = $1`,
      [id, status],
      tx,
    );
  }
}
