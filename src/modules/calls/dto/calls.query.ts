import { OmitType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { DateQuery } from '../../../common/http/fields/time-fields.js';
import { EnumField, IntegerQuery, StringField } from '../../../common/http/fields.js';
import { issueText } from '../../../common/http/fields/field.js';
import { AGE_SORTS, type AgeSort, PageQuery } from '../../../common/http/page.js';
import {
  ROUTING_BRANCHES,
  ROUTING_REASONS,
  type RoutingBranch,
  type RoutingReason,
} from '../../../common/phone/call-routing.js';
import { TagQuery } from '../../../common/tags/tags.js';
import { momentsOfDays } from '../../../common/time/zoned-days.js';
import type { CallFilter } from '../listing/call-list.statements.js';
import { CALL_STATUSES, CALL_TYPES, type CallStatus, type CallType } from '../call-states.js';

const IDS = /^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,99}$/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

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

  @StringField({
    optional: true,
    min: 1,
    max: 200,
    description:
      'Part of the customer number (four digits or more; spaces, plus signs, dots, brackets and hyphens between them do not count) ' +
      'and words of the transcript, without regard to case and accents. A call has all of them; the last word may be incomplete ' +
      'after its third letter. Fewer than four digits are searched for as words',
    example: '99876 entrega',
  })
  @Matches(LETTER_OR_DIGIT, issueText('calls.search_without_words'))
  declare q?: string;

  @IntegerQuery({ min: 1, description: 'Only of this assistant' })
  declare assistant_id?: number;

  @IntegerQuery({ min: 1, description: 'Only of this campaign' })
  declare campaign_id?: number;

  @EnumField(ROUTING_BRANCHES, { optional: true, description: 'Only those that took this part of a routing' })
  declare branch?: RoutingBranch;

  @EnumField(ROUTING_REASONS, { optional: true, description: 'Only those that were routed for this reason' })
  declare reason?: RoutingReason;

  @TagQuery()
  declare tag?: string;

  @DateQuery({ description: 'First day, in the time zone of the account', example: '2026-01-31' })
  declare date_from?: string;

  @DateQuery({ description: 'Last day, included, in the time zone of the account', example: '2026-01-31' })
  declare date_to?: string;

  @EnumField(['true'], {
    optional: true,
    description: 'Only those that are not over, each with `live`; all when left out',
  })
  declare live?: 'true';

  @EnumField(AGE_SORTS, {
    enumName: 'AgeSort',
    optional: true,
    default: 'newest',
    description: 'Which calls come first',
  })
  declare sort?: AgeSort;
}

/** The same filters, without pages, and of all calls. */
export class CallsExportQuery extends OmitType(CallsQuery, ['page', 'per_page', 'live', 'sort']) {
  @StringField({
    optional: true,
    max: 1_100,
    description: 'Only these calls: up to 100 ids, with commas between them',
    example: '4711,4712',
  })
  @Matches(IDS, issueText('validation.format'))
  declare ids?: string;
}

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
    search: query.q,
    tag: query.tag,
    ids: query.ids?.split(',').map(Number),
    isLive: query.live === 'true',
    ...momentsOfDays(query.date_from, query.date_to, zone),
  };
}
