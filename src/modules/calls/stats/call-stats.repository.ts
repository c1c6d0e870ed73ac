import { Injectable } from '@nestjs/common';
import { type FiguresRequest, GROUP_SQL, parametersOf } from '../../../common/figures/figures-request.js';
import { TOKENS_SQL, type TokensRow } from '../../../common/figures/token-figures.js';
import { Database } from '../../../database/database.js';
import type { CallStatus } from '../call-states.js';

/** Calls of one group and status. Amounts are whole micro-dollars, far below 2^53. */
export interface CallFiguresRow extends TokensRow {
  readonly group: number;
  readonly status: CallStatus;
  readonly calls: number;
  readonly seconds: number;
  readonly carrierCostMicros: number;
  readonly aiCostMicros: number;
}

/** How long customers waited for answers, in milliseconds. */
export interface WaitFigures {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Calls that were looked at: each one that was measured, or each n-th of many. */
  readonly calls: number;
  readonly everyNth: number;
}

/** Null means all groups together. */
export interface WaitFiguresRow extends WaitFigures {
  readonly group: number | null;
}

/** Waits are read from the calls themselves, so that only so many are looked at. */
const MAX_MEASURED = 10_000;

const IN_RANGE = 'user_id = $1 AND created_at >= $2 AND created_at < $3';

/** Sums over calls. What is counted is all in one index; waits are looked at in a sample that is spread evenly. */
@Injectable()
export class CallStatsRepository {
  constructor(private readonly database: Database) {}

  counts(request: FiguresRequest): Promise<CallFiguresRow[]> {
    return this.database.readPrepared<CallFiguresRow>(
      `SELECT ${GROUP_SQL[request.groupBy]} AS "group", status, count(*)::integer AS calls,
         sum(duration_seconds)::float8 AS seconds, sum(carrier_cost_micros)::float8 AS "carrierCostMicros",
         sum(ai_cost_micros)::float8 AS "aiCostMicros",
         ${TOKENS_SQL}
       FROM calls WHERE ${IN_RANGE} GROUP BY 1, 2`,
      parametersOf(request),
    );
  }

  /** Groups in which nothing was measured are left out. */
  waits(request: FiguresRequest): Promise<WaitFiguresRow[]> {
    const group = GROUP_SQL[request.groupBy];
    return this.database.readPrepared<WaitFiguresRow>(
      `WITH step AS (
         SELECT greatest(1, ceil(count(*) / ${MAX_MEASURED}.0))::integer AS step FROM calls
         WHERE ${IN_RANGE} AND quality IS NOT NULL),
       sample AS MATERIALIZED (
         SELECT id FROM calls WHERE ${IN_RANGE} AND quality IS NOT NULL AND id % (SELECT step FROM step) = 0),
       waited AS (
         SELECT ${group} AS "group", calls.id, (turn->>'response_ms')::integer AS ms
         FROM sample JOIN calls USING (id) CROSS JOIN LATERAL jsonb_array_elements(quality->'turns') AS turn)
       SELECT "group", count(DISTINCT id)::integer AS calls, (SELECT step FROM step) AS "everyNth",
         percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS "p50Ms",
         percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) AS "p95Ms"
       FROM waited GROUP BY GROUPING SETS (("group"), ()) HAVING count(*) > 0`,
      parametersOf(request),
    );
  }
}
