import { ApiProperty, OmitType } from '@nestjs/swagger';
import { DatedResponse } from '../../../common/http/response-fields.js';
import { IntegerField, StringField } from '../../../common/http/fields.js';
import type { CallShare } from '../call-share.entity.js';
import type { MadeCallShare } from '../call-shares.service.js';

export const MOST_DAYS = 7;

export class ShareCallRequest {
  @IntegerField({
    optional: true,
    nullable: true,
    min: 1,
    max: MOST_DAYS,
    default: MOST_DAYS,
    description: 'Days until the link expires',
  })
  declare expires_in_days?: number | null;
}

export class ReadSharedCallRequest {
  @StringField({
    max: 100,
    description: 'The part of the link after `#`',
    example: `prosa_share_${'0'.repeat(36)}`,
  })
  declare token: string;
}

export class CallShareResponse extends DatedResponse {
  @ApiProperty({ format: 'date-time', description: 'Until when it is valid, ISO 8601 in UTC' })
  declare expires_at: string;
}

export class MadeCallShareResponse extends OmitType(CallShareResponse, ['created_at']) {
  @ApiProperty({
    description: 'People who have it can read and hear the call. Shown only this once',
    example: `https://prosa.example/app/shared-call#prosa_share_${'0'.repeat(36)}`,
  })
  declare url: string;
}

export function toCallShareResponse({ id, createdAt, expiresAt }: CallShare): CallShareResponse {
  return { id, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
}

/** @param origin of this server, as the caller knows it */
export function toMadeCallShareResponse(
  { id, token, expiresAt }: MadeCallShare,
  origin: string,
): MadeCallShareResponse {
  return { id, url: `${origin}/app/shared-call#${token}`, expires_at: expiresAt.toISOString() };
}
