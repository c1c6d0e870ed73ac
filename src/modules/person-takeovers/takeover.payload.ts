import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { NullableInteger, NullableText } from '../../common/http/response-fields.js';
import type { StoredCall } from '../calls/call-facts.js';
import { CALL_STATUSES, CALL_TYPES } from '../calls/call-states.js';
import type { CallPerson } from '../active-calls/person-takeovers/person-takeover.js';

/** What events of takeovers tell: the fields of `call.started`, and the person. */
export class TakeoverPayload {
  @ApiProperty({ type: 'integer', description: 'Id of the call' })
  declare id: number;

  @ApiProperty({ enum: CALL_TYPES, description: 'How the call came about' })
  declare type: string;

  @ApiProperty({ enum: CALL_STATUSES, description: 'Always `in-progress`' })
  declare status: string;

  @NullableText({ description: 'Always null' })
  declare previous_status: null;

  @NullableInteger({ description: 'Id of the assistant; null once it is deleted' })
  declare assistant_id: number | null;

  @ApiProperty({ description: 'Its name', example: 'Loja' })
  declare assistant_name: string;

  @NullableInteger({ description: 'Null outside of campaigns' })
  declare campaign_id: number | null;

  @NullableText({ description: 'Null outside of campaigns' })
  declare campaign_name: string | null;

  @NullableInteger({ description: 'Null outside of campaigns' })
  declare lead_id: number | null;

  @NullableText({ description: 'E.164; null on the web', example: '+5511912345678' })
  declare customer_phone: string | null;

  @NullableText({ description: 'E.164; null on the web', example: '+551130000000' })
  declare assistant_phone: string | null;

  @ApiProperty({ format: 'date-time', description: 'When the call was created' })
  declare created_at: string;

  @NullableInteger({ description: 'Id of the member; null for the owner of the account and for API keys' })
  declare member_id: number | null;

  @NullableText({ description: 'Name of the member', example: 'Ana Souza' })
  declare member_name: string | null;
}

/** The same of a hand-back. */
export class HandBackPayload extends TakeoverPayload {
  @ApiPropertyOptional({
    type: String,
    description: 'What the person wrote for the assistant; left out where they wrote nothing',
    example: 'O cliente aceitou o plano anual.',
  })
  declare note?: string;
}

export function takeoverPayloadOf(
  call: StoredCall,
  { memberId, memberName }: Omit<CallPerson, 'key'>,
): TakeoverPayload {
  return {
    id: call.id,
    type: call.type,
    status: call.status,
    previous_status: null,
    assistant_id: call.assistantId,
    assistant_name: call.assistantName,
    campaign_id: call.campaignId,
    campaign_name: call.campaignName,
    lead_id: call.leadId,
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    created_at: call.createdAt.toISOString(),
    member_id: memberId,
    member_name: memberName,
  };
}
