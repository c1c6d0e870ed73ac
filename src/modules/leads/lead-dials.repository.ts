import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

export interface LeadCounts {
  readonly total: number;
  readonly completed: number;
  readonly reachedMaxRetries: number;
  /** To be called, now or later. */
  readonly waiting: number;
  readonly calling: number;
}

/**
 * What a lead does after an attempt; the function `step_lead_dials` knows it by the same names.
 *
 * - `retry`: it is called again later
 * - `completed`: the person was reached; other contacts of theirs are not called
 * - `give-up`: not reached; their next contact is called instead
 * - `unclear`: nobody knows whether they were reached, so neither they nor their other contacts are called again
 */
export type LeadStep = 'completed' | 'retry' | 'give-up' | 'unclear';

/** Where leads stand with the dialler, which decides it. */
@Injectable()
export class LeadDialsRepository {
  constructor(private readonly database: Database) {}

  /** By the clock of the database, as is everything that decides when a lead is called. */
  async step(leadId: number, step: LeadStep, waitMs: number | null, tx: Tx): Promise<void> {
    await this.database.writePrepared('SELECT step_lead_dials($1, $2, $3)', [[leadId], [step], [waitMs]], tx);
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
