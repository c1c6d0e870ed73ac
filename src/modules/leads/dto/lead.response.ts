import { ApiProperty } from '@nestjs/swagger';
import { FreeObject, NullableInteger, NumberedResponse } from '../../../common/http/response-fields.js';
import { toPlainTimestamp } from '../../../common/time/zoned-days.js';
import {
  LEAD_REFUSALS,
  LEAD_STATUSES,
  type Lead,
  type LeadRefusal,
  type LeadStatus,
  type Variables,
} from '../lead.entity.js';
import type { FullLead } from '../leads.service.js';

const PLAIN_TIMESTAMP = {
  example: '2026-01-31 14:05:00',
  description: 'In the time zone of the account, which the header `X-Prosa-Time-Zone` names',
};

class LeadCampaignResponse extends NumberedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;
}

class SecondaryContactResponse extends NumberedResponse {
  @ApiProperty({ example: '+5511987654321', description: 'International form, with a leading plus sign' })
  declare phone_number: string;

  @FreeObject({ description: 'Values for {{name}} in the texts of the assistant' })
  declare variables: Variables;

  @ApiProperty({ enum: LEAD_STATUSES, description: 'State, assigned automatically' })
  declare status: LeadStatus;

  @ApiProperty({
    enum: LEAD_REFUSALS,
    nullable: true,
    description:
      'Why it ended without an attempt: its number is on the do-not-call list, or calls to its country or type of number are ' +
      'not allowed',
  })
  declare refusal_reason: LeadRefusal | null;

  @ApiProperty(PLAIN_TIMESTAMP)
  declare created_at: string;

  @ApiProperty(PLAIN_TIMESTAMP)
  declare updated_at: string;
}

export class LeadResponse extends SecondaryContactResponse {
  @ApiProperty({ type: 'integer', description: 'Id of the campaign' })
  declare campaign_id: number;

  @NullableInteger({ description: 'The lead this is a secondary contact of' })
  declare parent_id: number | null;

  @ApiProperty({ type: LeadCampaignResponse })
  declare campaign: LeadCampaignResponse;

  @ApiProperty({
    type: [SecondaryContactResponse],
    description: 'Further numbers of the same lead, tried in this order',
  })
  declare secondary_contacts: SecondaryContactResponse[];
}

/** @param zone in which times are written */
export function toLeadResponse({ lead, campaign, secondaries }: FullLead, zone: string): LeadResponse {
  return {
    ...toContact(lead, zone),
    campaign_id: lead.campaignId,
    parent_id: lead.parentId,
    campaign: { id: campaign.id, name: campaign.name },
    secondary_contacts: secondaries.map((secondary) => toContact(secondary, zone)),
  };
}

type Contact = Pick<SecondaryContactResponse, keyof SecondaryContactResponse>;

function toContact(lead: Lead, zone: string): Contact {
  return {
    id: lead.id,
    phone_number: lead.phoneNumber,
    variables: lead.variables,
    status: lead.status,
    refusal_reason: lead.refusalReason,
    created_at: toPlainTimestamp(lead.createdAt, zone),
    updated_at: toPlainTimestamp(lead.updatedAt, zone),
  };
}
