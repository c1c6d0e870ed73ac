import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

/** SQL for a database that a backup has just filled: what was called since the backup would be called again. */
export const STOP_RUNNING_CAMPAIGNS = "UPDATE campaigns SET status = 'stopped' WHERE status = 'in-progress'";

/** What a copied database would go on to dial. */
export interface RestoredDialling {
  readonly runningCampaigns: number;
  /** Leads whose attempt is not settled. */
  readonly leadsBeingDialled: number;
}

/** Campaigns and attempts of a copied database. */
@Injectable()
export class RestoredCampaignsRepository {
  constructor(private readonly database: Database) {}

  async count(): Promise<RestoredDialling> {
    const [row] = await this.database.query<RestoredDialling>(
      `SELECT (SELECT count(*) FROM campaigns WHERE status = 'in-progress')::int AS "runningCampaigns",
         (SELECT count(*) FROM dial_attempts WHERE state <> 'settled')::int AS "leadsBeingDialled"`,
    );
    return row ?? { runningCampaigns: 0, leadsBeingDialled: 0 };
  }

  async stopAll(tx: Tx): Promise<void> {
    await this.database.query(STOP_RUNNING_CAMPAIGNS, [], tx);
  }

  /** The lead was reached, or nothing says that it was not: it is not called again. */
  async settleDialled(callIds: readonly number[], tx: Tx): Promise<void> {
    await this.database.query(
      `WITH settled AS (
         UPDATE dial_attempts a SET state = 'settled', settled_at = now(),
           outcome = CASE call.status WHEN 'completed' THEN 'answered' ELSE 'unknown' END
         FROM calls call WHERE call.id = a.call_id AND a.state <> 'settled' AND a.call_id = ANY($1::int[])
         RETURNING a.lead_id, a.outcome)
       SELECT step_lead_dials(array_agg(lead_id),
         array_agg(CASE outcome WHEN 'answered' THEN 'completed' ELSE 'unclear' END), array_agg(NULL::float8))
       FROM settled`,
      [callIds],
      tx,
    );
  }

  /** The carrier was not asked: the lead waits as before, and has no attempt less. */
  async withdrawUndialled(callIds: readonly number[], tx: Tx): Promise<void> {
    await this.database.query(
      `WITH withdrawn AS (
         DELETE FROM dial_attempts WHERE state <> 'settled' AND call_id = ANY($1::int[]) RETURNING lead_id, number)
       SELECT move_lead_dials('waiting', array_agg(lead_id), array_agg((number - 1)::smallint)) FROM withdrawn`,
      [callIds],
      tx,
    );
  }
}
