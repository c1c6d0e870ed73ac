import { ApiProperty, OmitType } from '@nestjs/swagger';
import { say, type TextKey } from '../../../i18n/catalogue.js';
import type { StartedSession } from '../auth.service.js';

class SessionUserResponse {
  @ApiProperty({ type: 'integer' })
  declare id: number;

  @ApiProperty()
  declare name: string;

  @ApiProperty()
  declare email: string;
}

export class SessionResponse {
  @ApiProperty()
  declare message: string;

  @ApiProperty({ type: SessionUserResponse })
  declare user: SessionUserResponse;

  @ApiProperty({ description: 'Bearer token of the session', example: 'prosa_sess_…' })
  declare token: string;

  @ApiProperty({ format: 'date-time' })
  declare expires_at: string;
}

/** Of a session that lives in a cookie: no script is to see its token. */
export class CookieSessionResponse extends OmitType(SessionResponse, ['token']) {}

export function toCookieSessionResponse(key: TextKey, session: StartedSession): CookieSessionResponse {
  const { token: _token, ...rest } = toSessionResponse(key, session);
  return rest;
}

export function toSessionResponse(
  key: TextKey,
  { account, token, expiresAt }: StartedSession,
): SessionResponse {
  return {
    message: say(key),
    user: { id: account.id, name: account.name, email: account.email },
    token,
    expires_at: expiresAt.toISOString(),
  };
}
