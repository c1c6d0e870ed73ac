import { OmitType } from '@nestjs/swagger';
import { DateQuery, EnumField, IntegerQuery, StringField } from '../../../common/http/fields.js';
import { PageQuery } from '../../../common/http/page.js';
import {
  ROUTING_BRANCHES,
  ROUTING_REASONS,
  type RoutingBranch,
  type RoutingReason,
} from '../../../common/phone/call-routing.js';
import { momentsOfDays } from '../../../common/time/zoned-days.js';
import type { CallFilter } from '../listing/call-list.statements.js';
import { CALL_STATUSES, CALL_TYPES, type CallStatus, type CallType } from '../call-states.js';

export class CallsQuery extends PageQuery {
  @EnumField(CALL_STATUSES, { optional: true, description: 'Only those in this state' })
  declare status?: CallStatus;

  @EnumField(CALL_TYPES, { optional: true, description: 'Only those of this kind' })
  declare type?: CallType;

  @StringField({
    optional: true,
    filled: true,
    max: 64,
    description: 'Customer number; without country code, a number of the country of the account',
    example: '+5511998765432',
  })
  declare phone_number?: string;

  @IntegerQuery({ min: 1, description: 'Only of this assistant' })
  declare assistant_id?: number;

  @IntegerQuery({ min: 1, description: 'Only of this campaign' })
  declare campaign_id?: number;

  @EnumField(ROUTING_BRANCHES, { optional: true, description: 'Only those that took this part of a routing' })
  declare branch?: RoutingBranch;

  @EnumField(ROUTING_REASONS, { optional: true, description: 'Only those that were routed for this reason' })
  declare reason?: RoutingReason;

  @DateQuery({ description: 'First day, in the time zone of the account', example: '2026-01-31' })
  declare date_from?: string;

  @DateQuery({ description: 'Last day, included, in the time zone of the account', example: '2026-01-31' })
  declare date_to?: string;

  @EnumField(['true'], {
    optional: true,
    description: 'Only those that are not over, each with `live`; all when left out',
  })
  declare live?: 'true';
}

/** The same filters, without pages, and of all calls. */
export class CallsExportQuery extends OmitType(CallsQuery, ['page', 'per_page', 'live']) {}

/** @param zone in which the days are days */
export function toCallFilter(query: CallsExportQuery & Pick<CallsQuery, 'live'>, zone: string): CallFilter {
  return {
    status: query.status,
    type: query.type,
    assistantId: query.assistant_id,
    campaignId: query.campaign_id,
    branch: query.branch,
    reason: query.reason,
    phoneNumber: query.phone_number,
    isLive: query.live === 'true',
    ...momentsOfDays(query.date_from, query.date_to, zone),
  };
}
