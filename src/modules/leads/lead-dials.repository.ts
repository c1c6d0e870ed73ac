import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { LeadRefusal } from './lead.entity.js';

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
 * - `unclear`: it is unknown whether they were reached, so neither they nor their other contacts are called again
 */
export type LeadStep = 'completed' | 'retry' | 'give-up' | 'unclear';

/** The lead ($2) itself, or the one that it is a secondary contact of. */
const PRIMARY_ID = '(SELECT coalesce(parent_id, id) FROM leads WHERE user_id = $1 AND id = $2)';

/** Where leads stand with the dialler, which decides it. */
@Injectable()
export class LeadDialsRepository {
  constructor(private readonly database: Database) {}

  /** By the clock of the database, as is everything that decides when a lead is called. */
  async step(leadIds: readonly number[], step: LeadStep, waitMs: number | null, tx: Tx): Promise<void> {
    if (leadIds.length === 0) return;
    await this.database.writePrepared(
      'SELECT step_lead_dials($1, $2, $3)',
      [leadIds, leadIds.map(() => step), leadIds.map(() => waitMs)],
      tx,
    );
  }

  async setRefusal(leadId: number, reason: LeadRefusal, tx: Tx): Promise<void> {
    await this.database.query('UPDATE leads SET refusal_reason = $2 WHERE id = $1', [leadId, reason], tx);
  }

  /**
   * Locks the dial of a lead with those of all who are called in turn with it. Returns whether the lead or a
   * secondary contact of it is being called. Those before it are locked as well, because their end starts the next
   * one.
   */
  async lockFamily(userId: number, id: number, tx: Tx): Promise<{ isCalling: boolean }> {
    const dials = await this.database.query<{ isCalling: boolean }>(
      `SELECT dial.state = 'calling' AND $2 IN (lead.id, lead.parent_id) AS "isCalling"
       FROM lead_dials dial JOIN leads lead ON lead.id = dial.lead_id
       WHERE dial.user_id = $1 AND dial.lead_id = ANY(ARRAY(
         SELECT ${PRIMARY_ID} UNION ALL SELECT id FROM leads WHERE parent_id = ${PRIMARY_ID}))
       ORDER BY dial.lead_id FOR UPDATE OF dial`,
      [userId, id],
      tx,
    );
    return { isCalling: dials.some(({ isCalling }) => isCalling) };
  }

  /** Where it is the turn of this secondary contact, it becomes that of the one after it. */
  async handOnTurn(userId: number, id: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE lead_dials SET due_at = now() WHERE lead_id = (
         SELECT next.id FROM leads leaving
         JOIN lead_dials turn ON turn.lead_id = leaving.id AND turn.state = 'waiting' AND turn.due_at IS NOT NULL
         JOIN leads next ON next.parent_id = leaving.parent_id AND next.position > leaving.position
         JOIN lead_dials dial ON dial.lead_id = next.id AND dial.state = 'waiting' AND dial.due_at IS NULL
         WHERE leaving.user_id = $1 AND leaving.id = $2
         ORDER BY next.position LIMIT 1)`,
      [userId, id],
      tx,
    );
  }

  /** Null where a lead is due by now, or none waits. */
  async findNextDue(userId: number, campaignId: number): Promise<Date | null> {
    const [next] = await this.database.readPrepared<{ dueAt: Date }>(
      `SELECT min(due_at) AS "dueAt" FROM lead_dials
       WHERE user_id = $1 AND campaign_id = $2 AND state = 'waiting' HAVING min(due_at) > now()`,
      [userId, campaignId],
    );
    return next?.dueAt ?? null;
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
