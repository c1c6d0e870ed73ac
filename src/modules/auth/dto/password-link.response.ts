import { ApiProperty } from '@nestjs/swagger';
import type { MadePasswordLink } from '../password-links/password-links.service.js';

export class PasswordLinkResponse {
  @ApiProperty({ description: 'The secret of the link; shown only this once', example: 'prosa_reset_…' })
  declare token: string;

  @ApiProperty({ format: 'date-time', description: 'Until when it can be used' })
  declare expires_at: string;
}

export function toPasswordLinkResponse({ token, expiresAt }: MadePasswordLink): PasswordLinkResponse {
  return { token, expires_at: expiresAt.toISOString() };
}
