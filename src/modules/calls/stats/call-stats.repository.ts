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

/** The last calls of an assistant that were answered. Amounts are whole micro-dollars, waits milliseconds. */
export interface RecentCalls extends TokensRow {
  readonly calls: number;
  readonly seconds: number;
  readonly carrierCostMicros: number;
  readonly aiCostMicros: number;
  /** Null where nothing was measured, as are the medians of the parts of an answer. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly endpointingMs: number | null;
  readonly recognitionMs: number | null;
  readonly modelMs: number | null;
  readonly synthesisMs: number | null;
}

/** Recent calls are looked at, whether they were answered or not; a campaign may have many that were not. */
const RECENT_CALLS = 100;

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

  async recentOf(userId: number, assistantId: number): Promise<RecentCalls> {
    const percentile = (share: number, part: string) =>
      `percentile_disc(${share}) WITHIN GROUP (ORDER BY (turn->>'${part}')::integer)::integer`;
    const median = (part: string) => percentile(0.5, part);
    const [row] = await this.database.readPrepared<RecentCalls>(
      `WITH recent AS MATERIALIZED (
         SELECT duration_seconds, carrier_cost_micros, ai_cost_micros, quality, input_tokens, cached_input_tokens,
           output_tokens, ended_at
         FROM calls WHERE user_id = $1 AND assistant_id = $2 ORDER BY created_at DESC, id DESC LIMIT ${RECENT_CALLS}),
       talks AS (SELECT * FROM recent WHERE ended_at IS NOT NULL AND duration_seconds > 0),
       waits AS (
         SELECT ${median('response_ms')} AS "p50Ms", ${percentile(0.95, 'response_ms')} AS "p95Ms",
           ${median('endpointing_ms')} AS "endpointingMs", ${median('recognition_ms')} AS "recognitionMs",
           ${median('model_ms')} AS "modelMs", ${median('synthesis_ms')} AS "synthesisMs"
         FROM talks CROSS JOIN LATERAL jsonb_array_elements(quality->'turns') AS turn),
       sums AS (
         SELECT count(*)::integer AS calls, coalesce(sum(duration_seconds), 0)::float8 AS seconds,
           coalesce(sum(carrier_cost_micros), 0)::float8 AS "carrierCostMicros",
           coalesce(sum(ai_cost_micros), 0)::float8 AS "aiCostMicros", ${TOKENS_SQL}
         FROM talks)
       SELECT * FROM sums CROSS JOIN waits`,
      [userId, assistantId],
    );
    if (!row) throw new Error('A sum without groups has one row');
    return row;
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
