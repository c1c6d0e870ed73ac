import { ApiProperty } from '@nestjs/swagger';
import { NullableMoment, NullableOf, NullableText } from '../../../common/http/response-fields.js';
import { HIDDEN } from '../../../common/text/masked.js';
import { TWILIO_CHECKS, type TwilioAccountCheck } from '../../../providers/telephony/twilio/twilio-check.js';
import type { CarrierAccount } from '../carrier-account.entity.js';

export class TwilioAccountResponse {
  @ApiProperty({ format: 'uuid', description: 'Part of the addresses at which Twilio calls back' })
  declare id: string;

  @ApiProperty({ description: 'Of the account at Twilio', example: 'AC0123456789abcdef0123456789abcdef' })
  declare account_sid: string;

  @ApiProperty({ enum: [HIDDEN], description: 'Stored, and never shown' })
  declare auth_token: string;

  @NullableText({ description: 'A name of your choice', example: 'Vendas' })
  declare label: string | null;

  @NullableMoment('Until then callbacks may be signed with the token before; null where there is none')
  declare previous_expires_at: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

export class StoredTwilioAccountResponse {
  @NullableOf(TwilioAccountResponse, 'Null where none is stored')
  declare data: TwilioAccountResponse | null;
}

export class TwilioAccountTestResponse {
  @ApiProperty({
    enum: TWILIO_CHECKS,
    description:
      'refused: Twilio does not take the credentials; inactive: it has suspended or closed the account; unreachable: it did not answer',
  })
  declare result: TwilioAccountCheck;
}

export function toTwilioAccountResponse(account: CarrierAccount): TwilioAccountResponse {
  const { id, accountSid, label, previousExpiresAt, createdAt, updatedAt } = account;
  const isOldTaken = previousExpiresAt !== null && previousExpiresAt.getTime() > Date.now();
  return {
    id,
    account_sid: accountSid,
    auth_token: HIDDEN,
    label,
    previous_expires_at: isOldTaken ? previousExpiresAt.toISOString() : null,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
