import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { LeadStatus } from './lead.entity.js';

export interface LeadCounts {
  readonly total: number;
  readonly completed: number;
  readonly reachedMaxRetries: number;
  /** To be called, now or later. */
  readonly waiting: number;
  readonly calling: number;
}

/** Where leads stand with the dialler, which decides it. */
@Injectable()
export class LeadDialsRepository {
  constructor(private readonly database: Database) {}

  /** By the clock of the database, as is everything that decides when a lead is called. */
  async scheduleRetry(leadId: number, waitMs: number, tx: Tx): Promise<void> {
    await this.database.query(
      "UPDATE lead_dials SET state = 'waiting', due_at = now() + $2 * interval '1 millisecond' WHERE lead_id = $1",
      [leadId, waitMs],
      tx,
    );
  }

  /** The lead is called no more. */
  async finish(leadId: number, status: LeadStatus, tx: Tx): Promise<void> {
    await this.database.query(
      `WITH done AS (UPDATE lead_dials SET state = 'done' WHERE lead_id = $1)
       UPDATE leads SET status = $2, updated_at = now() WHERE id = $1`,
      [leadId, status],
      tx,
    );
  }

  /** Makes the next secondary contact of the same person due, after the lead itself or another secondary one. */
  async callNextContact(leadId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE lead_dials SET due_at = now() WHERE lead_id = (
         SELECT l.id FROM leads tried
         JOIN leads l ON l.parent_id = coalesce(tried.parent_id, tried.id) AND l.position > tried.position
         JOIN lead_dials d ON d.lead_id = l.id AND d.state = 'waiting' AND d.due_at IS NULL
         WHERE tried.id = $1 ORDER BY l.position LIMIT 1)`,
      [leadId],
      tx,
    );
  }

  /** The person was reached: their other contacts need no call. Their leads stay `created`, since nobody called them. */
  async dropOtherContacts(leadId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE lead_dials SET state = 'done' WHERE state = 'waiting' AND due_at IS NULL AND lead_id IN (
         SELECT l.id FROM leads tried JOIN leads l ON l.parent_id = coalesce(tried.parent_id, tried.id)
         WHERE tried.id = $1)`,
      [leadId],
      tx,
    );
  }

  /** Counts of one campaign, in one statement. Only leads that wait are counted one by one, in an index of their own. */
  async countsOf(userId: number, campaignId: number): Promise<LeadCounts> {
    const [row] = await this.database.query<Record<keyof LeadCounts, string>>(
      `WITH counted AS (
         SELECT status, leads FROM lead_counts WHERE user_id = $1 AND campaign_id = $2
         UNION ALL SELECT status, change FROM lead_count_changes WHERE user_id = $1 AND campaign_id = $2)
       SELECT sum(leads) AS total, sum(leads) FILTER (WHERE status = 'completed') AS completed,
         sum(leads) FILTER (WHERE status = 'reached-max-retries') AS "reachedMaxRetries",
         (SELECT count(*) FROM lead_dials WHERE user_id = $1 AND campaign_id = $2 AND state = 'waiting') AS waiting,
         (SELECT count(*) FROM lead_dials WHERE user_id = $1 AND campaign_id = $2 AND state = 'calling') AS calling
       FROM counted`,
      [userId, campaignId],
    );
    return {
      total: Number(row?.total ?? 0),
      completed: Number(row?.completed ?? 0),
      reachedMaxRetries: Number(row?.reachedMaxRetries ?? 0),
      waiting: Number(row?.waiting ?? 0),
      calling: Number(row?.calling ?? 0),
    };
  }
}
