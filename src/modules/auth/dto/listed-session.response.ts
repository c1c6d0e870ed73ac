import { ApiProperty } from '@nestjs/swagger';
import type { ListedSession } from '../sessions/sessions.service.js';

export class ListedSessionResponse {
  @ApiProperty({ type: 'integer' })
  declare id: number;

  @ApiProperty({ description: 'Whether the request was made with it; never so with an API key' })
  declare current: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where it was begun from',
    example: '203.0.113.7',
  })
  declare ip_address: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0' })
  declare user_agent: string | null;

  @ApiProperty({ format: 'date-time' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time' })
  declare expires_at: string;
}

export class SessionsResponse {
  @ApiProperty({ type: [ListedSessionResponse] })
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
