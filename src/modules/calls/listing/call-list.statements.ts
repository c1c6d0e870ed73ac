import { formsOf } from '../../../common/phone/e164.js';
import type { RoutingBranch, RoutingReason } from '../../../common/phone/call-routing.js';
import type { MomentRange } from '../../../common/time/zoned-days.js';
import { type CountedRange, type Period, rangeToCount, rangeToSeek } from './call-periods.js';
import { type CallStatus, type CallType, LIVE_STATUSES } from '../call-states.js';
import type { ExportPlace } from '../../../common/csv/bounded-exports.js';
import type { Call } from '../call.entity.js';
import { callSearchParts } from '../search/call-search.js';

/** What a list is narrowed to. */
export interface CallFilter extends MomentRange {
  readonly status?: CallStatus;
  readonly type?: CallType;
  readonly assistantId?: number;
  readonly campaignId?: number;
  readonly branch?: RoutingBranch;
  readonly reason?: RoutingReason;
  /** As the calls hold it. */
  readonly phoneNumber?: string;
  /** Parts of the number and words of the transcript, all of them. */
  readonly search?: string;
  readonly tag?: string;
  readonly ids?: readonly number[] | undefined;
  /** Only calls that are not over. */
  readonly isLive?: boolean;
}

/** The calls of one number, a tag or a search, named ones, and those that are not over: they are not counted by period. */
export function isOfFewCalls({ phoneNumber, search, tag, ids, isLive }: CallFilter): boolean {
  return [phoneNumber, search, tag, ids].some((given) => given !== undefined) || isLive === true;
}

/** A call as lists show it. */
export type ListedCall = Pick<
  Call,
  | 'id'
  | 'assistantName'
  | 'campaignName'
  | 'type'
  | 'status'
  | 'assistantPhoneNumber'
  | 'clientPhoneNumber'
  | 'durationSeconds'
  | 'answeredBy'
  | 'transcript'
  | 'variables'
  | 'evaluation'
  | 'voice'
  | 'webhookResponse'
  | 'carrierCostMicros'
  | 'aiCostMicros'
  | 'recordingEnabled'
  | 'recordingKey'
  | 'routing'
  | 'createdAt'
  | 'updatedAt'
>;

/** The text depends on which filters are given and never on their values, so that it can be prepared. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Amounts stay far below 2^53, where a double is exact; the driver gives it as a number. */
const COLUMNS = `
  calls.id, assistant_name AS "assistantName", campaign_name AS "campaignName", type, status,
  assistant_phone_number AS "assistantPhoneNumber", client_phone_number AS "clientPhoneNumber",
  duration_seconds AS "durationSeconds", answered_by AS "answeredBy", transcript, variables, evaluation, voice,
  webhook_response AS "webhookResponse", carrier_cost_micros::float8 AS "carrierCostMicros",
  ai_cost_micros::float8 AS "aiCostMicros", recording_enabled AS "recordingEnabled", recording_key AS "recordingKey",
  routing, calls.created_at AS "createdAt", updated_at AS "updatedAt"`;

/** The columns of files that lists do not show. */
const MORE_COLUMNS = `
  input_tokens::float8 AS "inputTokens", cached_input_tokens::float8 AS "cachedInputTokens",
  output_tokens::float8 AS "outputTokens",
  created_at::text AS place`;

interface Dimension {
  readonly field: keyof CallFilter;
  /** In the tables of counts. */
  readonly column: string;
  /** In `calls`, where it is not a column of the same name. */
  readonly inCalls?: string;
}

/** What calls are counted by. */
const DIMENSIONS: readonly Dimension[] = [
  { field: 'status', column: 'status' },
  { field: 'type', column: 'type' },
  { field: 'assistantId', column: 'assistant_id' },
  { field: 'campaignId', column: 'campaign_id' },
];

/** Calls with a routing are counted by these too, in a table of their own. */
const ROUTING_DIMENSIONS: readonly Dimension[] = [
  { field: 'branch', column: 'branch', inCalls: "(calls.routing->>'branch')" },
  { field: 'reason', column: 'reason', inCalls: "coalesce(calls.routing->>'reason', '')" },
];

/** The condition of the index that finds calls by their routing. */
const IS_ROUTED = 'calls.routing IS NOT NULL';

/** Written out: a limit that is not known when a statement is planned makes it plan for a tenth of all calls. */
const USUAL_LIMITS = [10, 15, 20, 25, 50, 100];

/** The first day of the period that a change falls into. */
const START_OF: Readonly<Record<Period, string>> = {
  day: 'day',
  month: "date_trunc('month', day::timestamp)::date",
  all: "date '0001-01-01'",
};

/** Served by the index of states. */
const IS_LIVE = `calls.status IN (${LIVE_STATUSES.map((status) => `'${status}'`).join(', ')})`;

const NO_COUNTS = "SELECT 'day' AS period, current_date AS starts_on, 0 AS calls WHERE false";

/** A page and the number of all calls, of one moment. Without calls there is one row, with the total alone. */
export function rowsWithTotalStatement(
  userId: number,
  filter: CallFilter,
  limit: number,
  offset: number,
): Statement {
  const builder = new StatementBuilder(userId, filter);
  if (filter.search !== undefined) return builder.build(builder.foundWithTotal(limit, offset));
  const rows = builder.rows(limit, offset);
  const total = isOfFewCalls(filter) ? builder.scannedTotal() : builder.countedTotal();
  return builder.build(`
    SELECT totals.total, page.* FROM (${total}) AS totals LEFT JOIN (${rows}) AS page ON true
    ORDER BY page."createdAt" DESC, page.id DESC`);
}

export function rowsStatement(userId: number, filter: CallFilter, limit: number, offset: number): Statement {
  const builder = new StatementBuilder(userId, filter);
  return builder.build(builder.rows(limit, offset));
}

/** The calls that come after a place in the list, with their own places. */
export function rowsAfterStatement(
  userId: number,
  filter: CallFilter,
  limit: number,
  after: ExportPlace | null,
): Statement {
  const builder = new StatementBuilder(userId, filter);
  return builder.build(builder.rowsAfter(limit, after));
}

/**
 * How many calls there are, and where a page begins that is far down: the day of the call behind `offset` newer ones, and how
 * many newer calls of that day there are. One row; without a day where there are not so many calls.
 */
export function placeStatement(userId: number, filter: CallFilter, offset: number): Statement {
  const builder = new StatementBuilder(userId, filter);
  return builder.build(builder.place(offset));
}

class StatementBuilder {
  private readonly parameters: unknown[] = [];
  private readonly user: string;
  /** Those that the filter names. */
  private readonly dimensions: readonly Dimension[];
  private readonly isByRouting: boolean;
  /** What counts are narrowed by. */
  private readonly ofCell: string;
  /** The same for calls. */
  private readonly ofCallsOfCell: string;

  constructor(
    userId: number,
    private readonly filter: CallFilter,
  ) {
    this.user = `user_id = ${this.add(userId)}`;
    const isGiven = ({ field }: Dimension) => filter[field] !== undefined;
    this.isByRouting = ROUTING_DIMENSIONS.some(isGiven);
    this.dimensions = [...DIMENSIONS, ...ROUTING_DIMENSIONS].filter(isGiven);
    const values = this.dimensions.map(({ field, column, inCalls = column }) => {
      const value = this.add(filter[field]);
      return { ofCounts: `${column} = ${value}`, ofCalls: `${inCalls} = ${value}` };
    });
    this.ofCell = [this.user, ...values.map(({ ofCounts }) => ofCounts)].join(' AND ');
    this.ofCallsOfCell = [
      this.user,
      ...(this.isByRouting ? [IS_ROUTED] : []),
      ...values.map(({ ofCalls }) => ofCalls),
    ].join(' AND ');
  }

  build(sql: string): Statement {
    return { sql, parameters: this.parameters };
  }

  /** Each filter by itself has an index in the order of the list; several at once, and those of a routing, are served cell by cell. */
  rows(limit: number, offset: number): string {
    const window = this.window(limit, offset);
    const isByCells = this.isByRouting || this.dimensions.length > 1;
    return isByCells && !isOfFewCalls(this.filter)
      ? this.rowsOfCells(window)
      : `SELECT ${COLUMNS} FROM ${this.source()}
         ORDER BY created_at DESC, id DESC LIMIT ${window.limit} OFFSET ${window.offset}`;
  }

  rowsAfter(limit: number, after: ExportPlace | null): string {
    const place =
      after && `(created_at, id) < (${this.add(after.createdAt)}::timestamptz, ${this.add(after.id)})`;
    if (this.filter.search !== undefined) {
      return `SELECT ${COLUMNS}, ${MORE_COLUMNS} FROM calls
        WHERE ${this.user} AND id IN (
          SELECT id FROM (${this.found()}) AS found ${place ? `WHERE ${place}` : ''}
          ORDER BY created_at DESC, id DESC LIMIT ${this.add(limit)}::bigint)
        ORDER BY created_at DESC, id DESC`;
    }
    return `SELECT ${COLUMNS}, ${MORE_COLUMNS} FROM calls
      WHERE ${[this.ofCalls(), ...(place ? [place] : [])].join(' AND ')}
      ORDER BY created_at DESC, id DESC LIMIT ${this.add(limit)}::bigint`;
  }

  /** A page of the calls that a search finds, and their number. They are found once, by the index, for both. */
  foundWithTotal(limit: number, offset: number): string {
    const window = this.window(limit, offset);
    return `
      WITH found AS MATERIALIZED (${this.found()})
      SELECT totals.total, page.* FROM (SELECT count(*)::integer AS total FROM found) AS totals LEFT JOIN (
        SELECT ${COLUMNS} FROM calls
        WHERE ${this.user} AND id IN (
          SELECT id FROM found ORDER BY created_at DESC, id DESC LIMIT ${window.limit} OFFSET ${window.offset})
      ) AS page ON true
      ORDER BY page."createdAt" DESC, page.id DESC`;
  }

  scannedTotal(): string {
    return `SELECT count(*)::integer AS total FROM calls WHERE ${this.ofCalls()}`;
  }

  countedTotal(): string {
    return `SELECT coalesce(sum(calls), 0)::integer AS total FROM (${this.counts(rangeToCount(this.filter))}) AS counted`;
  }

  /** By their counts: the month first, and then the day in it. */
  place(offset: number): string {
    const behind = (counts: string, newer: string) => `
      SELECT period, starts_on, ${newer} - through + calls AS skip
      FROM (SELECT *, sum(calls) OVER (ORDER BY starts_on DESC) AS through FROM ${counts}) AS summed
      WHERE calls > 0 AND through > ${newer} ORDER BY through LIMIT 1`;
    const skipped = `${this.add(offset)}::bigint`;
    return `
      WITH periods AS (
        SELECT period, starts_on, sum(calls) AS calls FROM (${this.counts(rangeToSeek(this.filter))}) AS counted
        GROUP BY period, starts_on),
      month AS (${behind('periods', skipped)}),
      days AS (
        SELECT 'day' AS period, counted.starts_on, sum(counted.calls) AS calls
        FROM month CROSS JOIN LATERAL (
          ${this.countsWithin('day', "BETWEEN month.starts_on AND (month.starts_on + interval '1 month - 1 day')::date")}) AS counted
        WHERE month.period = 'month' GROUP BY counted.starts_on),
      place AS (
        SELECT starts_on, skip FROM month WHERE period = 'day'
        UNION ALL
        SELECT starts_on, skip FROM (${behind('days', '(SELECT skip FROM month)')}) AS day)
      SELECT totals.total, place.starts_on::text AS day, place.skip::integer AS skip
      FROM (SELECT coalesce(sum(calls), 0)::integer AS total FROM periods) AS totals LEFT JOIN place ON true`;
  }

  /** Calls outside whole UTC days, a day at each end at most, are counted one by one. */
  counts({ spans, edges }: CountedRange): string {
    const parts = spans.map(({ period, firstDay, lastDay }) =>
      this.countsWithin(period, `BETWEEN ${this.add(firstDay)}::date AND ${this.add(lastDay)}::date`),
    );
    const scanned = edges.map(
      (edge) => `
        SELECT 'day' AS period, (created_at AT TIME ZONE 'UTC')::date AS starts_on, count(*)::integer AS calls FROM calls
        WHERE ${[this.ofCallsOfCell, ...this.within(edge)].join(' AND ')} GROUP BY 2`,
    );
    return [...parts, ...scanned].join(' UNION ALL ') || NO_COUNTS;
  }

  /** Settled counts and the changes since. Each has conditions of its own, which an index can follow. */
  private countsWithin(period: Period, days: string): string {
    return `
      SELECT '${period}' AS period, starts_on, calls FROM ${this.settled()} AND period = '${period}' AND starts_on ${days}
      UNION ALL
      SELECT '${period}', ${START_OF[period]}, change FROM call_count_changes
      WHERE ${this.ofCell} AND day ${days}`;
  }

  /** The table that counts each combination of values. */
  private get cells(): string {
    return this.isByRouting ? 'call_routing_counts' : 'call_counts';
  }

  /** Counts of all calls, of those with one value, or by each combination of values. */
  private settled(): string {
    const [first, second] = this.dimensions;
    if (!first) return `call_totals WHERE ${this.ofCell}`;
    if (this.isByRouting || second) return `${this.cells} WHERE ${this.ofCell}`;
    const { field, column } = first;
    return `call_dimension_totals
      WHERE ${this.user} AND dimension = '${column}' AND value = ${this.add(String(this.filter[field]))}`;
  }

  /** The newest of each matching cell, merged: what matches part of the filter is never read. */
  private rowsOfCells({ limit, offset }: { limit: string; offset: string }): string {
    const routing = this.isByRouting ? ROUTING_DIMENSIONS : [];
    const cell = [...DIMENSIONS, ...routing].map(({ column }) => column).join(', ');
    const ofRouting = [
      ...(this.isByRouting ? [IS_ROUTED] : []),
      ...routing.map(({ column, inCalls = column }) => `${inCalls} = cell.${column}`),
    ];
    const newestFirst = (table: string) => `ORDER BY ${table}.created_at DESC, ${table}.id DESC`;
    return `
      SELECT ${COLUMNS} FROM (
        SELECT newest.id, newest.created_at
        FROM (SELECT ${cell} FROM ${this.cells} WHERE ${this.ofCell} AND period = 'all'
              UNION SELECT ${cell} FROM call_count_changes WHERE ${this.ofCell}) AS cell
        CROSS JOIN LATERAL (
          SELECT id, created_at FROM calls
          WHERE ${[this.user, ...this.within(this.filter)].join(' AND ')}
            AND calls.status = cell.status AND calls.type = cell.type
            AND coalesce(calls.assistant_id, 0) = cell.assistant_id
            AND coalesce(calls.campaign_id, 0) = cell.campaign_id
            ${ofRouting.map((condition) => `AND ${condition}`).join(' ')}
          ${newestFirst('calls')} LIMIT ${limit} + ${offset}) AS newest
        ${newestFirst('newest')} LIMIT ${limit} OFFSET ${offset}) AS place
      JOIN calls ON calls.id = place.id
      ${newestFirst('calls')}`;
  }

  /** Ids and moments of the calls that a search finds. Without a further filter, calls are not read for it. */
  private found(): string {
    const { search = '', phoneNumber, tag, ids, isLive } = this.filter;
    const parts = callSearchParts(search);
    const words = this.add(parts.map((part) => part.words));
    const digits = this.add(parts.map((part) => part.digits));
    const isFound = `call_words.words @@ call_search($1, ${words}::text[], ${digits}::text[])`;
    if (
      this.dimensions.length === 0 &&
      phoneNumber === undefined &&
      tag === undefined &&
      ids === undefined &&
      !isLive
    ) {
      return `SELECT call_id AS id, created_at FROM call_words
        WHERE ${[isFound, ...this.within(this.filter, 'call_words')].join(' AND ')}`;
    }
    // Without `OFFSET 0` PostgreSQL may read all calls that pass the filter, and join them with the found ones.
    return `SELECT calls.id, calls.created_at FROM call_words CROSS JOIN LATERAL (
        SELECT id, created_at FROM calls WHERE calls.id = call_words.call_id AND ${this.ofCalls()} OFFSET 0) AS calls
      WHERE ${isFound}`;
  }

  private window(limit: number, offset: number): { limit: string; offset: string } {
    return {
      limit: USUAL_LIMITS.includes(limit) ? String(limit) : `${this.add(limit)}::bigint`,
      offset: offset === 0 ? '0' : `${this.add(offset)}::bigint`,
    };
  }

  /** Without `OFFSET 0` PostgreSQL may read the whole list in its order, to find the few live calls in it. */
  private source(): string {
    const calls = `calls WHERE ${this.ofCalls()}`;
    return this.filter.isLive ? `(SELECT * FROM ${calls} OFFSET 0) AS calls` : calls;
  }

  private ofCalls(): string {
    const { phoneNumber, tag, ids, isLive } = this.filter;
    const ofNumber =
      phoneNumber === undefined
        ? []
        : [`client_phone_number = ANY(${this.add(formsOf(phoneNumber))}::text[])`];
    const tagged =
      tag === undefined
        ? []
        : [`calls.id IN (SELECT call_id FROM call_tags WHERE user_id = $1 AND tag = ${this.add(tag)})`];
    const named = ids === undefined ? [] : [`calls.id = ANY(${this.add(ids)}::integer[])`];
    const live = isLive ? [IS_LIVE] : [];
    return [this.ofCallsOfCell, ...ofNumber, ...tagged, ...named, ...live, ...this.within(this.filter)].join(
      ' AND ',
    );
  }

  private within({ from, before }: MomentRange, table = 'calls'): string[] {
    return [
      ...(from ? [`${table}.created_at >= ${this.add(from)}::timestamptz`] : []),
      ...(before ? [`${table}.created_at < ${this.add(before)}::timestamptz`] : []),
    ];
  }

  private add(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }
}
