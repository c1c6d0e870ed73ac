import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/**
 * SQL for a database that was just restored from a backup: calls of that time are over, even if they are recorded as
 * open.
 */
export const END_CALLS_OF_BACKUP =
  "UPDATE active_calls SET end_requested_at = now() WHERE stage <> 'evaluating' AND end_requested_at IS NULL";

/** A call of a copied database that was ended without its carrier. */
export interface EndedCopy {
  readonly callId: number;
  /** Whether the carrier may have dialled it. */
  readonly isDialled: boolean;
}

/** A call of the copied database: no process renews its lease. */
const OF_COPY = "stage <> 'evaluating' AND (lease_until IS NULL OR lease_until < now())";

/** Calls that a copied database records as open, although the original has them. */
@Injectable()
export class RestoredCallsRepository {
  constructor(private readonly database: Database) {}

  count(): Promise<number> {
    return this.database.count(`SELECT count(*)::int AS count FROM active_calls WHERE ${OF_COPY}`);
  }

  /**
   * Ends them in the database alone: the carrier is not asked, nothing is charged, and no webhook is written. A call that
   * may have been dialled is in doubt, so that its lead is not called again.
   */
  async end(tx: Tx): Promise<EndedCopy[]> {
    return this.database.query<EndedCopy>(
      `WITH ended AS (
         DELETE FROM active_calls WHERE ${OF_COPY} RETURNING call_id, hold_id, stage <> 'waiting' AS is_dialled),
       moved AS (
         UPDATE calls SET ended_at = now(), updated_at = now(),
           status = CASE status WHEN 'in-progress' THEN 'completed' ELSE 'failed' END,
           end_reason = CASE status WHEN 'in-progress' THEN 'line_lost' ELSE end_reason END,
           dial_in_doubt = dial_in_doubt OR (is_dialled AND status <> 'in-progress')
         FROM ended WHERE calls.id = ended.call_id)
       SELECT call_id AS "callId", is_dialled AS "isDialled", void_hold(hold_id) FROM ended`,
      [],
      tx,
    );
  }
}
