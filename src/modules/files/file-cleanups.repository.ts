import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

/** Due files in one go of the sweep. */
const BATCH = 100;

@Injectable()
export class FileCleanupsRepository {
  constructor(private readonly database: Database) {}

  async plan(fileKeys: readonly string[], delayMs: number, tx?: Tx): Promise<void> {
    await this.database.query(
      `INSERT INTO file_cleanups (file_key, due_at)
       SELECT key, now() + $2 * interval '1 millisecond' FROM unnest($1::text[]) AS key
       ON CONFLICT (file_key) DO UPDATE SET due_at = least(file_cleanups.due_at, excluded.due_at)`,
      [fileKeys, delayMs],
      tx,
    );
  }

  /** Takes a planned deletion back. False when it was carried out already. */
  cancel(fileKey: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'DELETE FROM file_cleanups WHERE file_key = $1 AND attempts = 0 RETURNING id',
      [fileKey],
      tx,
    );
  }

  /** Keys that are due, put off until the next try should this one not come to its end. */
  async claimDue(): Promise<string[]> {
    const rows = await this.database.query<{ file_key: string }>(
      `UPDATE file_cleanups
          SET attempts = attempts + 1,
              due_at = now() + least(power(2, least(attempts, 9)), 360) * interval '10 seconds'
        WHERE id IN (SELECT id FROM file_cleanups WHERE due_at <= now()
                      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING file_key`,
      [BATCH],
    );
    return rows.map((row) => row.file_key);
  }

  async finish(fileKey: string): Promise<void> {
    await this.database.query('DELETE FROM file_cleanups WHERE file_key = $1', [fileKey]);
  }

  count(): Promise<number> {
    return this.database.count('SELECT count(*)::int AS count FROM file_cleanups');
  }

  /** Forgets every planned deletion: the files stay. */
  async drop(tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM file_cleanups', [], tx);
  }
}
