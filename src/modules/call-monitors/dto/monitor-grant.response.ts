import { ApiProperty } from '@nestjs/swagger';
import { MONITOR_SAMPLE_RATE_HZ } from '../../active-calls/monitors/stereo-sound.js';
import type { MonitorGrant } from '../../calls/monitors/call-monitors.service.js';

export class MonitorGrantResponse {
  @ApiProperty({
    description: 'Of the WebSocket; see the reference of the live desk',
    example: 'wss://prosa.example/api/calls/7/monitor',
  })
  declare url: string;

  @ApiProperty({
    description: 'For the first message on the WebSocket; used once, within 30 seconds',
    example: 'prosa_mon_8fK2hJ5sQ1wE9rT3yU7iO4pA6dG0zX2cVbNm',
  })
  declare token: string;

  @ApiProperty({ type: 'integer', description: 'Samples a second of the sound', example: 24_000 })
  declare sample_rate: number;

  @ApiProperty({ format: 'date-time', description: 'Until when the token is valid, ISO 8601 in UTC' })
  declare expires_at: string;
}

/** @param origin of this server, as the caller knows it */
export function toMonitorGrantResponse(
  callId: number,
  { token, expiresAt }: MonitorGrant,
  origin: string,
): MonitorGrantResponse {
  return {
    url: `${origin.replace(/^http/, 'ws')}/api/calls/${callId}/monitor`,
    token,
    sample_rate: MONITOR_SAMPLE_RATE_HZ,
    expires_at: expiresAt.toISOString(),
  };
}
