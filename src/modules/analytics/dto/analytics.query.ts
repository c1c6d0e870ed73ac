import { type Grouping, GROUPINGS } from '../../../common/figures/figures-request.js';
import {
  ROUTING_BRANCHES,
  ROUTING_REASONS,
  type RoutingBranch,
  type RoutingReason,
} from '../../../common/phone/call-routing.js';
import { INBOUND_GROUPINGS, type InboundGrouping } from '../inbound-analytics.service.js';
import { DateQuery } from '../../../common/http/fields/time-fields.js';
import { EnumField } from '../../../common/http/fields.js';

class AnalyticsDaysQuery {
  @DateQuery({
    description: 'First day, in the time zone of the account; without it, 29 days before the last',
    example: '2026-01-01',
  })
  declare from?: string;

  @DateQuery({
    description: 'Last day, included, in the time zone of the account; without it, today',
    example: '2026-01-30',
  })
  declare to?: string;
}

export class AnalyticsQuery extends AnalyticsDaysQuery {
  @EnumField(GROUPINGS, { optional: true, default: 'day', description: 'What the groups are' })
  declare group_by?: Grouping;
}

export class InboundAnalyticsQuery extends AnalyticsDaysQuery {
  @EnumField(INBOUND_GROUPINGS, { optional: true, default: 'number', description: 'What the groups are' })
  declare group_by?: InboundGrouping;

  @EnumField(ROUTING_BRANCHES, {
    optional: true,
    description: 'Only calls that took this part of their routing',
  })
  declare branch?: RoutingBranch;

  @EnumField(ROUTING_REASONS, { optional: true, description: 'Only calls that were routed for this reason' })
  declare reason?: RoutingReason;
}
