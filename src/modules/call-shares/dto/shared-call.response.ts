import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { CallResponse } from '../../calls/dto/call.response.js';
import { CallTurnResponse, toTurnResponse } from '../../calls/dto/call-details.response.js';
import type { SharedCall } from '../shared-calls.service.js';

/** A call without numbers, variables and tools. */
export class SharedCallResponse extends PickType(CallResponse, ['assistant_name', 'duration']) {
  @ApiProperty({ format: 'date-time', description: 'When the call was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ type: [CallTurnResponse], description: 'What was said' })
  declare turns: CallTurnResponse[];

  @ApiPropertyOptional({
    description: 'Only when a recording is available. Valid for six hours, and not after the share ends',
    example:
      'https://prosa.example/api/shared-calls/7/recording?expires=1769968800&signature=3yXb0m1s0hT0bq4pX4l9mZc8p2Q7d1k6w5v4u3t2s1A',
  })
  declare recording_url?: string;

  @ApiProperty({ format: 'date-time', description: 'Until when the link is valid, ISO 8601 in UTC' })
  declare expires_at: string;
}

/** @param origin of this server, as the caller knows it */
export function toSharedCallResponse(
  { call, expiresAt, recordingLink }: SharedCall,
  origin: string,
): SharedCallResponse {
  return {
    assistant_name: call.assistantName,
    created_at: call.createdAt.toISOString(),
    duration: call.durationSeconds,
    turns: call.turns.map(toTurnResponse),
    ...(recordingLink === null ? {} : { recording_url: origin + recordingLink }),
    expires_at: expiresAt.toISOString(),
  };
}
