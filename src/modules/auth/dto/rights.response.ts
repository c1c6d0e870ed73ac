import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger } from '../../../common/http/response-fields.js';
import type { Principal } from '../../../common/auth/principal.js';
import { SCOPES } from '../../../common/auth/scope.js';

export class RightsResponse {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...SCOPES] },
    nullable: true,
    description: 'The scopes of the role, or of the key behind the session; null for everything',
  })
  declare scopes: string[] | null;

  @NullableInteger({
    description: 'The member who is signed in; null for the owner of the account, and for API keys',
  })
  declare member_id: number | null;
}

export function toRightsResponse({ scopes, memberId }: Principal): RightsResponse {
  return { scopes: scopes ? [...scopes] : null, member_id: memberId ?? null };
}
