import { Injectable } from '@nestjs/common';
import type { DateTime } from 'luxon';
import type { RoutingBranch, RoutingReason } from '../../common/phone/call-routing.js';
import {
  type GroupedInboundStats,
  type InboundStats,
  InboundStatsService,
  NO_INBOUND_CALLS,
} from '../calls/stats/inbound-stats.service.js';
import { type AnalyticsPeriod, periodOf } from './analytics-period.js';
import { MAX_GROUPS } from './analytics.service.js';

export const INBOUND_GROUPINGS = ['number', 'day', 'hour'] as const;
export type InboundGrouping = (typeof INBOUND_GROUPINGS)[number];

export interface InboundRange {
  readonly from?: string;
  readonly to?: string;
  readonly group_by?: InboundGrouping;
  readonly branch?: RoutingBranch;
  readonly reason?: RoutingReason;
}

export interface InboundGroup extends InboundStats {
  /** `YYYY-MM-DD`; null in other groups than days. */
  readonly day: string | null;
  /** Of the day, 0 to 23; null in other groups than hours. */
  readonly hour: number | null;
  /** Null in other groups than numbers. */
  readonly phoneNumber: string | null;
}

export interface InboundAnalytics {
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly groupBy: InboundGrouping;
  readonly totals: InboundStats;
  readonly groups: readonly InboundGroup[];
}

const HALF_HOUR_MS = 1_800_000;
const NO_GROUP = { day: null, hour: null, phoneNumber: null };

/** How an account's inbound calls were routed. */
@Injectable()
export class InboundAnalyticsService {
  constructor(private readonly calls: InboundStatsService) {}

  /** @throws ValidationFailedError for days in the wrong order, or too many of them */
  async get(
    userId: number,
    { from, to, group_by: groupBy = 'number', branch, reason }: InboundRange,
    zone: string,
  ): Promise<InboundAnalytics> {
    const period = periodOf(from, to, zone);
    const found = await this.calls.of({
      userId,
      from: period.start,
      before: period.before,
      periods: periodsOf(groupBy, period),
      branch,
      reason,
    });
    return {
      zone,
      from: period.from,
      to: period.to,
      groupBy,
      totals: found.all,
      groups: groupsOf(groupBy, found, period.days),
    };
  }
}

function groupsOf(
  groupBy: InboundGrouping,
  { groups }: GroupedInboundStats,
  days: readonly DateTime<true>[],
): InboundGroup[] {
  const statsOf = (group: number) => groups.get(String(group)) ?? NO_INBOUND_CALLS;
  switch (groupBy) {
    case 'number':
      return [...groups]
        .map(([phoneNumber, stats]) => ({ ...NO_GROUP, phoneNumber, ...stats }))
        .toSorted((a, b) => b.count - a.count || (a.phoneNumber < b.phoneNumber ? -1 : 1))
        .slice(0, MAX_GROUPS);
    case 'day':
      return days.map((day, index) => ({ ...NO_GROUP, day: day.toISODate(), ...statsOf(index) }));
    case 'hour':
      return Array.from({ length: 24 }, (_, hour) => ({ ...NO_GROUP, hour, ...statsOf(hour) }));
  }
}

function periodsOf(
  groupBy: InboundGrouping,
  period: AnalyticsPeriod,
): { readonly start: Date; readonly group: number }[] | null {
  switch (groupBy) {
    case 'number':
      return null;
    case 'day':
      return period.days.map((day, group) => ({ start: day.toJSDate(), group }));
    case 'hour':
      return halfHoursOf(period).map((half) => ({ start: half.toJSDate(), group: half.hour }));
  }
}

/**
 * Where each half of an hour begins. They are counted in time that has passed, because the clock may go back, in some zones
 * by half an hour: each is within one hour of the clock all the same.
 */
function halfHoursOf({ days, before }: AnalyticsPeriod): DateTime<true>[] {
  return days.flatMap((day, index) => {
    const end = days[index + 1]?.toMillis() ?? before.getTime();
    const count = Math.ceil((end - day.toMillis()) / HALF_HOUR_MS);
    return Array.from({ length: count }, (_, half) => day.plus({ minutes: 30 * half }));
  });
}
