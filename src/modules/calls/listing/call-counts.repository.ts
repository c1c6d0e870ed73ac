import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../../database/advisory-locks.js';
import { toSafeInteger } from '../../../database/columns.js';
import type { SettledCounts } from '../../../database/count-settlement.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

const CELL = 'status, type, assistant_id, campaign_id';

/** Keeps the counts that lists are numbered by. */
@Injectable()
export class CallCountsRepository implements SettledCounts {
  constructor(private readonly database: Database) {}

  /** Whether this process may settle until the transaction ends. */
  async tryLock(tx: Tx): Promise<boolean> {
    const [row] = await this.database.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS locked',
      [ADVISORY_LOCKS.callCounts],
      tx,
    );
    return row?.locked === true;
  }

  /** Moves the oldest changes into the counts. Returns how many they were. */
  async settle(limit: number, tx: Tx): Promise<number> {
    const [row] = await this.database.query<{ taken: string }>(
      `WITH taken AS (
         DELETE FROM call_count_changes WHERE id IN (SELECT id FROM call_count_changes ORDER BY id LIMIT $1)
         RETURNING user_id, day, ${CELL}, change),
       spread AS (
         SELECT user_id, period, starts_on, ${CELL}, sum(change) AS change
         FROM taken CROSS JOIN LATERAL (VALUES
           ('day', day), ('month', date_trunc('month', day::timestamp)::date), ('all', date '0001-01-01')
         ) AS periods (period, starts_on)
         GROUP BY user_id, period, starts_on, ${CELL}),
       totals AS (
         INSERT INTO call_totals AS settled (user_id, period, starts_on, calls)
         SELECT user_id, period, starts_on, sum(change) FROM spread
         GROUP BY user_id, period, starts_on HAVING sum(change) <> 0
         ON CONFLICT (user_id, period, starts_on) DO UPDATE SET calls = settled.calls + excluded.calls),
       counts AS (
         INSERT INTO call_counts AS settled (user_id, period, starts_on, ${CELL}, calls)
         SELECT user_id, period, starts_on, ${CELL}, change FROM spread WHERE change <> 0
         ON CONFLICT (user_id, period, starts_on, ${CELL}) DO UPDATE SET calls = settled.calls + excluded.calls)
       SELECT count(*) AS taken FROM taken`,
      [limit],
      tx,
    );
    return toSafeInteger(row?.taken ?? 0);
  }

  /** Counts that have come to nothing. */
  async deleteEmpty(tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM call_totals WHERE calls = 0', [], tx);
    await this.database.query('DELETE FROM call_dimension_totals WHERE calls = 0', [], tx);
    await this.database.query('DELETE FROM call_counts WHERE calls = 0', [], tx);
    await this.database.query('DELETE FROM call_routing_counts WHERE calls = 0', [], tx);
  }

  hasChanges(): Promise<boolean> {
    return this.database.matches('SELECT 1 FROM call_count_changes LIMIT 1');
  }
}
