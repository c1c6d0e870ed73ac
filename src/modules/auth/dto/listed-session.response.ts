import { ApiProperty } from '@nestjs/swagger';
import { DatedResponse, NullableText } from '../../../common/http/response-fields.js';
import type { ListedSession } from '../sessions/sessions.service.js';

export class ListedSessionResponse extends DatedResponse {
  @ApiProperty({ description: 'Whether the request was made with it; never so with an API key' })
  declare current: boolean;

  @NullableText({ description: 'Where it was begun from', example: '203.0.113.7' })
  declare ip_address: string | null;

  @NullableText({
    example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
    description: 'What the browser says it is; null when it did not say',
  })
  declare user_agent: string | null;

  @ApiProperty({ format: 'date-time', description: 'Until when it is valid, ISO 8601 in UTC' })
  declare expires_at: string;
}

export class SessionsResponse {
  @ApiProperty({ type: [ListedSessionResponse], description: 'Sessions of the account that have not ended' })
  declare sessions: ListedSessionResponse[];
}

export function toSessionsResponse(listed: readonly ListedSession[]): SessionsResponse {
  return {
    sessions: listed.map(({ session, isCurrent }) => ({
      id: session.id,
      current: isCurrent,
      ip_address: session.ipAddress,
      user_agent: session.userAgent,
      created_at: session.createdAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    })),
  };
}
