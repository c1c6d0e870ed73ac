import { Injectable } from '@nestjs/common';
import type { RoutingAction, RoutingBranch, RoutingReason } from '../../../common/phone/call-routing.js';
import { Database } from '../../../database/database.js';

/** A period lasts until the next one begins. */
export interface InboundPeriod {
  readonly start: Date;
  /** Periods with the same number are one group. */
  readonly group: number;
}

/** Of what figures are wanted, and in which groups. */
export interface InboundFiguresRequest {
  readonly userId: number;
  readonly from: Date;
  readonly before: Date;
  /** Null: groups are the numbers that were called. */
  readonly periods: readonly InboundPeriod[] | null;
  readonly branch?: RoutingBranch;
  readonly reason?: RoutingReason;
}

/** Inbound calls of one group that were routed alike. */
export interface InboundFiguresRow {
  readonly group: string;
  readonly branch: RoutingBranch;
  readonly action: RoutingAction;
  readonly reason: RoutingReason | null;
  readonly calls: number;
}

/** Callers of one group who waited for a line. */
export interface InboundWaitsRow {
  /** Null means all groups together. */
  readonly group: string | null;
  readonly count: number;
  /** Callers who hung up while they waited. */
  readonly abandoned: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Counts of inbound calls of numbers with a routing, each statement from one index. */
@Injectable()
export class InboundStatsRepository {
  constructor(private readonly database: Database) {}

  counts(request: InboundFiguresRequest): Promise<InboundFiguresRow[]> {
    const { group, calls, parameters } = statementOf(request);
    return this.database.readPrepared<InboundFiguresRow>(
      `SELECT ${group} AS "group", routing->>'branch' AS branch, routing->>'action' AS action,
         routing->>'reason' AS reason, count(*)::integer AS calls
       ${calls} GROUP BY 1, 2, 3, 4`,
      parameters,
    );
  }

  /** Groups in which no caller waited are left out. */
  waits(request: InboundFiguresRequest): Promise<InboundWaitsRow[]> {
    const { group, calls, parameters } = statementOf(request);
    // `assistant_id` becomes null as well where an assistant that answered is deleted.
    return this.database.readPrepared<InboundWaitsRow>(
      `WITH waited AS (
         SELECT ${group} AS "group", (routing->>'waitedMs')::integer AS ms,
           routing->>'action' = 'assistant' AND assistant_name = '' AND status = 'completed' AS is_abandoned
         ${calls} AND routing ? 'waitedMs')
       SELECT "group", count(*)::integer AS count, (count(*) FILTER (WHERE is_abandoned))::integer AS abandoned,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS "p50Ms",
         percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) AS "p95Ms"
       FROM waited GROUP BY GROUPING SETS (("group"), ()) HAVING count(*) > 0`,
      parameters,
    );
  }
}

/** SQL of the group of a call, and of the calls that are counted. */
function statementOf({ userId, from, before, periods, branch, reason }: InboundFiguresRequest) {
  const parameters: unknown[] = [userId, from, before];
  const add = (value: unknown) => `$${parameters.push(value)}`;
  const group =
    periods === null
      ? "coalesce(assistant_phone_number, '')"
      : `(${add(periods.map(({ group: number }) => number))}::integer[])[width_bucket(created_at, ${add(
          periods.map(({ start }) => start),
        )}::timestamptz[])]::text`;
  const conditions = [
    "user_id = $1 AND created_at >= $2 AND created_at < $3 AND type = 'inbound' AND routing IS NOT NULL",
    ...(branch === undefined ? [] : [`routing->>'branch' = ${add(branch)}`]),
    ...(reason === undefined ? [] : [`routing->>'reason' = ${add(reason)}`]),
  ];
  return { group, calls: `FROM calls WHERE ${conditions.join(' AND ')}`, parameters };
}
