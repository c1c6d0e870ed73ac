import { ApiProperty } from '@nestjs/swagger';
import { DatedResponse, NullableText } from '../../../common/http/response-fields.js';
import type { DoNotCallEntry } from '../do-not-call-entry.entity.js';

export class DoNotCallResponse extends DatedResponse {
  @ApiProperty({ example: '+5511998765432', description: 'International form, with a leading plus sign' })
  declare phone_number: string;

  @NullableText({ description: 'Why' })
  declare reason: string | null;
}

export function toDoNotCallResponse({
  id,
  phoneNumber,
  reason,
  createdAt,
}: DoNotCallEntry): DoNotCallResponse {
  return { id, phone_number: phoneNumber, reason, created_at: createdAt.toISOString() };
}
