import { ApiProperty } from '@nestjs/swagger';
import type { SentPasswordLink } from '../password-links/password-emails.service.js';

export class PasswordLinkResponse {
  @ApiProperty({ description: 'The secret of the link; shown only this once', example: 'prosa_reset_…' })
  declare token: string;

  @ApiProperty({ format: 'date-time', description: 'Until when it can be used' })
  declare expires_at: string;

  @ApiProperty({
    description: 'Whether the link goes out by e-mail. If not, pass it on yourself',
    example: false,
  })
  declare emailed: boolean;
}

export function toPasswordLinkResponse({
  token,
  expiresAt,
  isEmailed,
}: SentPasswordLink): PasswordLinkResponse {
  return { token, expires_at: expiresAt.toISOString(), emailed: isEmailed };
}
