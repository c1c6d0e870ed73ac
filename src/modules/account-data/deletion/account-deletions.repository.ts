import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { AccountDeletion } from './account-deletion.entity.js';

@Injectable()
export class AccountDeletionsRepository {
  constructor(private readonly database: Database) {}

  /** Adds the deletion of an account, of which there is one. */
  async add(userId: number, tx: Tx): Promise<void> {
    await this.database.query(
      'INSERT INTO account_deletions (user_id) VALUES ($1) ON CONFLICT (user_id) DO NOTHING',
      [userId],
      tx,
    );
  }

  findOf(userId: number): Promise<AccountDeletion | null> {
    return this.database.manager().findOneBy(AccountDeletion, { userId });
  }

  findUnderWay(id: number): Promise<AccountDeletion | null> {
    return this.database.manager().findOneBy(AccountDeletion, { id, status: 'processing' });
  }

  countUnderWay(): Promise<number> {
    return this.database.count(
      "SELECT count(*)::int AS count FROM account_deletions WHERE status = 'processing'",
    );
  }

  /** Those that may go on now. */
  due(limit: number): Promise<number[]> {
    return this.database.values<number>(
      `SELECT id FROM account_deletions WHERE status = 'processing' AND next_run_at <= now()
       ORDER BY next_run_at LIMIT $1`,
      [limit],
    );
  }

  async wait(id: number, waitMs: number): Promise<void> {
    await this.database.query(
      `UPDATE account_deletions SET is_waiting = true, next_run_at = now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND status = 'processing'`,
      [id, waitMs],
    );
  }

  async count(id: number, table: string, rows: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE account_deletions SET is_waiting = false,
         deleted = deleted || jsonb_build_object($2::text, coalesce((deleted ->> $2)::bigint, 0) + $3::bigint)
       WHERE id = $1`,
      [id, table, rows],
      tx,
    );
  }

  async finish(id: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE account_deletions SET status = 'completed', is_waiting = false, finished_at = now()
       WHERE id = $1 AND status = 'processing'`,
      [id],
      tx,
    );
  }
}
