import { Injectable } from '@nestjs/common';
import type { DailyResource } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { SECONDS_TO_NEXT_DAY, UTC_DAY } from '../../database/utc-windows.js';

/** What an account has used of a resource on the day, in UTC. */
export interface DailyUsage {
  readonly used: number;
  /** Until the next day begins. */
  readonly resetsInSeconds: number;
}

/** One row for each account and resource, of the last day on which it was used. An earlier day counts as nothing. */
@Injectable()
export class DailyUsageRepository {
  constructor(private readonly database: Database) {}

  async today(userId: number, resource: DailyResource, tx?: Tx): Promise<DailyUsage> {
    const [usage] = await this.database.query<DailyUsage>(
      `SELECT coalesce(sum(amount) FILTER (WHERE day = ${UTC_DAY}), 0)::double precision AS used,
         ${SECONDS_TO_NEXT_DAY} AS "resetsInSeconds"
       FROM daily_usage WHERE user_id = $1 AND resource = $2`,
      [userId, resource],
      tx,
    );
    if (!usage) throw new Error('the statement answers one row');
    return usage;
  }

  /**
   * Adds to the usage of the day, unless the sum would exceed `max`. Requests in parallel wait for each other's row, so they
   * do not exceed it together.
   *
   * @param max null for no limit
   * @returns whether it was added; false also for an account that does not exist
   */
  add(
    userId: number,
    resource: DailyResource,
    amount: number,
    max: number | null,
    tx?: Tx,
  ): Promise<boolean> {
    return this.database.matches(
      `INSERT INTO daily_usage AS usage (user_id, resource, day, amount)
       SELECT id, $2, ${UTC_DAY}, $3::bigint FROM users WHERE id = $1 AND ($4::bigint IS NULL OR $3::bigint <= $4)
       ON CONFLICT (user_id, resource) DO UPDATE SET
         amount = excluded.amount + CASE WHEN usage.day = excluded.day THEN usage.amount ELSE 0 END,
         day = excluded.day
       WHERE $4::bigint IS NULL OR usage.day <> excluded.day OR usage.amount + excluded.amount <= $4
       RETURNING 1`,
      [userId, resource, amount, max],
      tx,
    );
  }

  async subtract(userId: number, resource: DailyResource, amount: number): Promise<void> {
    await this.database.query(
      `UPDATE daily_usage SET amount = greatest(amount - $3::bigint, 0)
       WHERE user_id = $1 AND resource = $2 AND day = ${UTC_DAY}`,
      [userId, resource, amount],
    );
  }
}
