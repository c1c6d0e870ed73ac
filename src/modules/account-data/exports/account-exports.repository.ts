import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { AccountExport, type AccountExportFailure } from './account-export.entity.js';

/** An export that this process makes. */
export type ClaimedExport = Pick<AccountExport, 'id' | 'userId' | 'attempts'>;

@Injectable()
export class AccountExportsRepository {
  constructor(private readonly database: Database) {}

  /** Adds one; nothing when the account has one under way. */
  async add(userId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `INSERT INTO account_exports (user_id) VALUES ($1)
       ON CONFLICT (user_id) WHERE status = 'processing' DO NOTHING`,
      [userId],
      tx,
    );
  }

  find(userId: number, id: number): Promise<AccountExport | null> {
    return this.database.manager().findOneBy(AccountExport, { userId, id });
  }

  /** Newest first. */
  listOf(userId: number): Promise<AccountExport[]> {
    return this.database.manager().find(AccountExport, { where: { userId }, order: { id: 'DESC' } });
  }

  newestOf(userId: number, tx: Tx): Promise<AccountExport | null> {
    return this.database.manager(tx).findOne(AccountExport, { where: { userId }, order: { id: 'DESC' } });
  }

  /** Deletes all but the newest so many; returns the keys of their files. */
  deleteBeyond(userId: number, kept: number, tx: Tx): Promise<string[]> {
    return this.deleteWhere(
      `user_id = $1 AND status <> 'processing'
         AND id <= (SELECT id FROM account_exports WHERE user_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      [userId, kept],
      tx,
    );
  }

  /** Deletes those that have been over for so long, at most so many; returns the keys of their files. */
  deleteOld(ageMs: number, limit: number, tx: Tx): Promise<string[]> {
    return this.deleteWhere(
      `id IN (SELECT id FROM account_exports WHERE finished_at < now() - $1 * interval '1 millisecond'
              ORDER BY finished_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [ageMs, limit],
      tx,
    );
  }

  /** Those that no process makes. */
  due(limit: number): Promise<number[]> {
    return this.database.values<number>(
      `SELECT id FROM account_exports WHERE status = 'processing' AND (leased_until IS NULL OR leased_until < now())
       ORDER BY id LIMIT $1`,
      [limit],
    );
  }

  /** Null when another process makes it, or it is over. */
  claim(id: number, leaseMs: number): Promise<ClaimedExport | null> {
    return this.database.first<ClaimedExport>(
      `UPDATE account_exports SET attempts = attempts + 1, leased_until = now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND status = 'processing' AND (leased_until IS NULL OR leased_until < now())
       RETURNING id, user_id AS "userId", attempts`,
      [id, leaseMs],
    );
  }

  /** Extends the lease; false when another process makes it now, or the account is gone. */
  progress({ id, attempts }: ClaimedExport, percent: number, leaseMs: number): Promise<boolean> {
    return this.database.matches(
      `UPDATE account_exports SET progress_percent = $3, leased_until = now() + $4 * interval '1 millisecond'
       WHERE id = $1 AND attempts = $2 AND status = 'processing' RETURNING id`,
      [id, attempts, percent, leaseMs],
    );
  }

  /** Lets another start have it at once. */
  async release({ id, attempts }: ClaimedExport): Promise<void> {
    await this.database.query(
      'UPDATE account_exports SET leased_until = NULL WHERE id = $1 AND attempts = $2',
      [id, attempts],
    );
  }

  /** False when another process makes it now, or the account is gone. */
  finish(
    { id, attempts }: ClaimedExport,
    file: { readonly key: string; readonly bytes: number },
    tx: Tx,
  ): Promise<boolean> {
    return this.database.matches(
      `UPDATE account_exports SET status = 'ready', progress_percent = 100, file_key = $3, file_bytes = $4,
         finished_at = now(), leased_until = NULL
       WHERE id = $1 AND attempts = $2 AND status = 'processing' RETURNING id`,
      [id, attempts, file.key, file.bytes],
      tx,
    );
  }

  async fail({ id, attempts }: ClaimedExport, failure: AccountExportFailure): Promise<void> {
    await this.database.query(
      `UPDATE account_exports SET status = 'failed', failure = $3, finished_at = now(), leased_until = NULL
       WHERE id = $1 AND attempts = $2 AND status = 'processing'`,
      [id, attempts, failure],
    );
  }

  private async deleteWhere(condition: string, parameters: readonly unknown[], tx: Tx): Promise<string[]> {
    const rows = await this.database.query<{ key: string | null }>(
      `DELETE FROM account_exports WHERE ${condition} RETURNING file_key AS key`,
      parameters,
      tx,
    );
    return rows.flatMap(({ key }) => (key === null ? [] : [key]));
  }
}
