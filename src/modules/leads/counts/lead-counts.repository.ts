import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../../database/advisory-locks.js';
import { toSafeInteger } from '../../../database/columns.js';
import type { SettledCounts } from '../../../database/count-settlement.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { LeadStatus } from '../lead.entity.js';

/** How many leads there are of each campaign and status. */
@Injectable()
export class LeadCountsRepository implements SettledCounts {
  constructor(private readonly database: Database) {}

  /** Exact: what is settled, and the changes since, are read in one statement. */
  async totalOf(
    userId: number,
    { campaignId, status }: { readonly campaignId?: number; readonly status?: LeadStatus },
  ): Promise<number> {
    const where =
      'user_id = $1 AND ($2::integer IS NULL OR campaign_id = $2) AND ($3::text IS NULL OR status = $3)';
    const [row] = await this.database.query<{ total: string }>(
      `SELECT coalesce(sum(leads), 0) AS total FROM (
         SELECT leads FROM lead_counts WHERE ${where}
         UNION ALL SELECT change FROM lead_count_changes WHERE ${where}) AS counted`,
      [userId, campaignId ?? null, status ?? null],
    );
    return toSafeInteger(row?.total ?? 0);
  }

  async tryLock(tx: Tx): Promise<boolean> {
    const [row] = await this.database.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS locked',
      [ADVISORY_LOCKS.leadCounts],
      tx,
    );
    return row?.locked === true;
  }

  async settle(limit: number, tx: Tx): Promise<number> {
    const [row] = await this.database.query<{ taken: string }>(
      `WITH taken AS (
         DELETE FROM lead_count_changes WHERE id IN (SELECT id FROM lead_count_changes ORDER BY id LIMIT $1)
         RETURNING user_id, campaign_id, status, change),
       counts AS (
         INSERT INTO lead_counts AS settled (user_id, campaign_id, status, leads)
         SELECT user_id, campaign_id, status, sum(change) FROM taken
         GROUP BY user_id, campaign_id, status HAVING sum(change) <> 0
         ON CONFLICT (user_id, campaign_id, status) DO UPDATE SET leads = settled.leads + excluded.leads)
       SELECT count(*) AS taken FROM taken`,
      [limit],
      tx,
    );
    return toSafeInteger(row?.taken ?? 0);
  }

  async deleteEmpty(tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM lead_counts WHERE leads = 0', [], tx);
  }

  hasChanges(): Promise<boolean> {
    return this.database.matches('SELECT 1 FROM lead_count_changes LIMIT 1');
  }
}
