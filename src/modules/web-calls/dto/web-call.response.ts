import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { WEB_CALL_SAMPLE_RATE_HZ } from '../../../providers/telephony/web/web-call-protocol.js';
import type { OpenedWebCall } from '../web-call-openings.service.js';

export class LiveKitRoomResponse {
  @ApiProperty({ description: 'Of the LiveKit server', example: 'wss://livekit.example' })
  declare url: string;

  @ApiProperty({
    description: 'An access token for the room, good for one call, within a minute',
    example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl',
  })
  declare token: string;

  @ApiProperty({ description: 'Its name', example: 'prosa-1f6a04c9e2b7-7-9d3c41a07be2' })
  declare room: string;
}

export class WebCallResponse {
  @ApiProperty({ type: 'integer', description: 'Id of the call' })
  declare call_id: number;

  @ApiProperty({
    description: 'For the first message on the WebSocket; good for one call, within a minute',
    example: 'prosa_call_8fK2hJ5sQ1wE9rT3yU7iO4pA6dG0zX2cVbNm',
  })
  declare token: string;

  @ApiProperty({ description: 'Of the WebSocket', example: 'wss://prosa.example/api/web-calls/7/media' })
  declare url: string;

  @ApiProperty({ type: 'integer', description: 'Samples a second of the sound', example: 24_000 })
  declare sample_rate: number;

  @ApiProperty({ format: 'date-time', description: 'Until when it is valid, ISO 8601 in UTC' })
  declare expires_at: string;

  @ApiPropertyOptional({
    type: LiveKitRoomResponse,
    description:
      'Where the server has `LIVEKIT_URL`: the same call through a room of it, for apps with LiveKit’s SDKs. Who connects to the WebSocket leaves it aside',
  })
  declare livekit?: LiveKitRoomResponse;
}

export class PublicWebCallResponse extends WebCallResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;
}

export class WebCallOfferResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;

  @ApiProperty({
    description:
      'Its owner allows it (`visitor_calls_enabled`), and this installation has voice. A limit may refuse the call itself',
  })
  declare available: boolean;
}

/** @param origin of this server, as the browser knows it */
export function toWebCallResponse(
  { callId, token, expiresAt, room }: OpenedWebCall,
  origin: string,
): WebCallResponse {
  return {
    call_id: callId,
    token,
    url: `${origin.replace(/^http/, 'ws')}/api/web-calls/${callId}/media`,
    sample_rate: WEB_CALL_SAMPLE_RATE_HZ,
    expires_at: expiresAt.toISOString(),
    ...(room && { livekit: room }),
  };
}

export function toPublicWebCallResponse(opened: OpenedWebCall, origin: string): PublicWebCallResponse {
  return Object.assign(toWebCallResponse(opened, origin), { status: true as const });
}
