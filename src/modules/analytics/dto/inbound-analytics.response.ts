import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableNumber, NullableText } from '../../../common/http/response-fields.js';
import { ROUTING_ACTIONS, ROUTING_BRANCHES, ROUTING_REASONS } from '../../../common/phone/call-routing.js';
import { AnalyticsPeriodResponse } from './analytics-period.response.js';
import type { InboundStats, InboundWaits } from '../../calls/stats/inbound-stats.service.js';
import { MAX_GROUPS } from '../analytics.service.js';
import {
  type InboundAnalytics,
  type InboundGroup,
  INBOUND_GROUPINGS,
  type InboundGrouping,
} from '../inbound-analytics.service.js';

const countsOf = (names: readonly string[], description: string) => ({
  type: 'object' as const,
  additionalProperties: { type: 'integer' as const },
  description: `${description}; all of them are named`,
  example: Object.fromEntries(names.map((name, index) => [name, index === 0 ? 120 : 4])),
});

class WaitedFiguresResponse {
  @ApiProperty({ type: 'integer', description: 'How many callers waited for a line', example: 12 })
  declare count: number;

  @NullableInteger({
    description: 'Half of them waited no longer, in milliseconds; null where no one waited',
    example: 21_000,
  })
  declare p50_ms: number | null;

  @NullableInteger({
    description: '95 % of them waited no longer, in milliseconds; null where no one waited',
    example: 74_000,
  })
  declare p95_ms: number | null;
}

class InboundFiguresResponse {
  @ApiProperty({ type: 'integer', description: 'How many calls came in', example: 140 })
  declare count: number;

  @ApiProperty({ type: 'integer', description: 'How many callers heard busy', example: 4 })
  declare turned_away: number;

  @ApiProperty(countsOf(ROUTING_BRANCHES, 'How many took each part of their routing'))
  declare by_branch: Readonly<Record<string, number>>;

  @ApiProperty(countsOf(ROUTING_ACTIONS, 'How many met each action'))
  declare by_action: Readonly<Record<string, number>>;

  @ApiProperty(
    countsOf(ROUTING_REASONS, 'How many were routed for each reason. Calls without one are not counted'),
  )
  declare by_reason: Readonly<Record<string, number>>;

  @ApiProperty({
    type: WaitedFiguresResponse,
    description: 'Callers who waited for a line, whatever came of it; those who still wait are not counted',
  })
  declare waited: WaitedFiguresResponse;

  @ApiProperty({ type: 'integer', description: 'How many callers hung up while they waited', example: 3 })
  declare abandoned: number;

  @NullableNumber({
    minimum: 0,
    maximum: 1,
    description: 'Their share of the callers who waited; null where no one waited',
    example: 0.25,
  })
  declare abandoned_share: number | null;
}

class InboundGroupResponse extends InboundFiguresResponse {
  @NullableText({ format: 'date', description: 'By day: the day' })
  declare day: string | null;

  @NullableInteger({
    minimum: 0,
    maximum: 23,
    description: 'By hour: the hour of the day, of all days together',
  })
  declare hour: number | null;

  @NullableText({ description: 'By number: the number that was called', example: '+551130000000' })
  declare phone_number: string | null;
}

export class InboundAnalyticsResponse extends AnalyticsPeriodResponse {
  @ApiProperty({ enum: INBOUND_GROUPINGS, description: 'What the groups are' })
  declare group_by: InboundGrouping;

  @ApiProperty({ type: InboundFiguresResponse, description: 'Of all groups together' })
  declare totals: InboundFiguresResponse;

  @ApiProperty({
    type: [InboundGroupResponse],
    description: `Every day or hour in its order; or the numbers with the most calls, ${MAX_GROUPS} at most`,
  })
  declare groups: InboundGroupResponse[];
}

export function toInboundAnalyticsResponse(analytics: InboundAnalytics): InboundAnalyticsResponse {
  return {
    timezone: analytics.zone,
    from: analytics.from,
    to: analytics.to,
    group_by: analytics.groupBy,
    totals: toFigures(analytics.totals),
    groups: analytics.groups.map(toGroup),
  };
}

function toGroup({ day, hour, phoneNumber, ...stats }: InboundGroup): InboundGroupResponse {
  return Object.assign({ day, hour, phone_number: phoneNumber }, toFigures(stats));
}

function toFigures({ count, byBranch, byAction, byReason, waits }: InboundStats): InboundFiguresResponse {
  return {
    count,
    turned_away: byAction.busy + byAction.reject,
    by_branch: byBranch,
    by_action: byAction,
    by_reason: byReason,
    waited: toWaited(waits),
    abandoned: waits?.abandoned ?? 0,
    abandoned_share: waits && waits.abandoned / waits.count,
  };
}

function toWaited(waits: InboundWaits | null): WaitedFiguresResponse {
  return { count: waits?.count ?? 0, p50_ms: waits?.p50Ms ?? null, p95_ms: waits?.p95Ms ?? null };
}
