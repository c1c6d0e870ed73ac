import { Injectable } from '@nestjs/common';
import { toSafeInteger } from '../../../database/columns.js';
import { Database } from '../../../database/database.js';
import type { LedgerKind } from '../ledger-entry.entity.js';
import { UTC_DAY } from '../../../database/utc-windows.js';

/** What one kind of work has cost on one day. */
export interface DailySpend {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  /** Null on a day without charges. */
  readonly kind: Exclude<LedgerKind, 'credit'> | null;
  readonly micros: number;
}

@Injectable()
export class DailySpendRepository {
  constructor(private readonly database: Database) {}

  /** Each of the last `days` days, today included, oldest first. */
  async byDay(userId: number, days: number): Promise<DailySpend[]> {
    const rows = await this.database.query<{ day: string; kind: DailySpend['kind']; micros: string }>(
      `WITH charges AS (
         SELECT (created_at AT TIME ZONE 'UTC')::date AS day, kind, -sum(amount_micros) AS micros
         FROM ledger_entries
         WHERE user_id = $1 AND kind <> 'credit'
           AND created_at >= date_trunc('day', now(), 'UTC') - ($2::integer - 1) * interval '1 day'
         GROUP BY 1, 2)
       SELECT to_char(today.day, 'YYYY-MM-DD') AS day, charges.kind, coalesce(charges.micros, 0) AS micros
       FROM (SELECT ${UTC_DAY} - back AS day FROM generate_series(0, $2::integer - 1) AS back) AS today
       LEFT JOIN charges ON charges.day = today.day
       ORDER BY today.day, charges.kind`,
      [userId, days],
    );
    return rows.map(({ day, kind, micros }) => ({ day, kind, micros: toSafeInteger(micros) }));
  }
}
