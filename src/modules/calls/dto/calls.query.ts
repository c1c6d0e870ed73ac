import { OmitType } from '@nestjs/swagger';
import { DateQuery, EnumField, IntegerQuery, StringField } from '../../../common/http/fields.js';
import { PageQuery } from '../../../common/http/page.js';
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

  @DateQuery({ description: 'First day, in the time zone of the account', example: '2026-01-31' })
  declare date_from?: string;

  @DateQuery({ description: 'Last day, included, in the time zone of the account', example: '2026-01-31' })
  declare date_to?: string;
}

/** The same filters, without pages. */
export class CallsExportQuery extends OmitType(CallsQuery, ['page', 'per_page']) {}

/** @param zone in which the days are days */
export function toCallFilter(query: CallsExportQuery, zone: string): CallFilter {
  return {
    status: query.status,
    type: query.type,
    assistantId: query.assistant_id,
    campaignId: query.campaign_id,
    phoneNumber: query.phone_number,
    ...momentsOfDays(query.date_from, query.date_to, zone),
  };
}
