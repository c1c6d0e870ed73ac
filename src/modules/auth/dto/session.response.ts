import { ApiProperty, OmitType } from '@nestjs/swagger';
import { MessageResponse } from '../../../common/http/api-docs.js';
import { NumberedResponse } from '../../../common/http/response-fields.js';
import { say, type TextKey } from '../../../i18n/catalogue.js';
import type { StartedSession } from '../sessions/session-starter.service.js';

class SessionUserResponse extends NumberedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @ApiProperty({ description: 'Email address of the account', example: 'ana@example.com' })
  declare email: string;
}

export class SessionResponse extends MessageResponse {
  @ApiProperty({ type: SessionUserResponse })
  declare user: SessionUserResponse;

  @ApiProperty({ description: 'Bearer token of the session', example: 'prosa_sess_…' })
  declare token: string;

  @ApiProperty({ format: 'date-time', description: 'Until when it is valid, ISO 8601 in UTC' })
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
