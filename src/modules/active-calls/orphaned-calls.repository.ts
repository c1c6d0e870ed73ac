import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Orphan } from './running-call.js';

const CAMPAIGN_IS_GONE = 'call.campaign_name IS NOT NULL AND call.campaign_id IS NULL';

/** Finds the calls, of all accounts, that a dead process or a lost job has left. */
@Injectable()
export class OrphanedCallsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Calls that no process has, oldest first. A web call waits for its browser until its token has expired, and five seconds
   * longer for a browser that is being admitted. Those of campaigns that have not been dialled are the dialler's, until the
   * campaign is deleted.
   *
   * @param speeds how fast the time of each carrier runs, by its name; of others it is real
   * @param graceMs how long after its longest duration a call may still be open
   */
  async find(speeds: ReadonlyMap<string, number>, graceMs: number, limit: number): Promise<Orphan[]> {
    const rows = await this.database.readPrepared<{ call_id: number; why: Orphan['why'] }>(
      `SELECT call_id, why FROM (
         SELECT active.call_id, active.stage_since, CASE
           WHEN stage = 'waiting' AND line_until IS NOT NULL THEN
             CASE WHEN stage_since < now() - interval '65 seconds' THEN 'unclaimed' END
           WHEN stage IN ('waiting', 'placing') AND call.campaign_name IS NULL
             AND stage_since < now() - interval '5 seconds' THEN 'undialled'
           WHEN stage IN ('waiting', 'placing') AND ${CAMPAIGN_IS_GONE}
             AND stage_since < now() - interval '60 seconds' THEN 'abandoned'
           WHEN stage = 'open' AND extract(epoch FROM now() - coalesce(call.answered_at, call.created_at))
             > (max_duration_seconds + CASE WHEN call.answered_at IS NULL THEN ringing_seconds ELSE 0 END) / coalesce(($1::jsonb ->> active.carrier)::float8, 1)
               + $2 / 1000.0 THEN 'overdue'
           WHEN stage = 'open' AND ${CAMPAIGN_IS_GONE} THEN 'abandoned'
           WHEN stage = 'open' AND (lease_until IS NULL OR lease_until < now()) THEN 'unmonitored'
           WHEN stage = 'evaluating' AND stage_since < now() - interval '10 minutes' THEN 'unevaluable'
           WHEN stage = 'evaluating' AND stage_since < now() - interval '60 seconds' THEN 'unevaluated'
         END AS why
         FROM active_calls active JOIN calls call ON call.id = active.call_id) AS looked_at
       WHERE why IS NOT NULL ORDER BY stage_since LIMIT $3`,
      [JSON.stringify(Object.fromEntries(speeds)), graceMs, limit],
    );
    return rows.map(({ call_id: callId, why }) => ({ callId, why }));
  }
}
