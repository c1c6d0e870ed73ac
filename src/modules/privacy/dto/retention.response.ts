import { ApiProperty } from '@nestjs/swagger';
import type { OwnDays } from '../retention/retention.repository.js';
import type { Retention } from '../retention/retention.service.js';

const DAYS = { type: 'integer', nullable: true, minimum: 1, example: 90 } as const;

class RetentionInForceResponse {
  @ApiProperty({ ...DAYS, description: 'Of numbers, transcripts and variables of calls; null: for ever' })
  declare calls_days: number | null;

  @ApiProperty({ ...DAYS, description: 'Of recordings; null: as long as the call' })
  declare recordings_days: number | null;

  @ApiProperty({ ...DAYS, description: 'Of conversations, from their end; null: for ever' })
  declare conversations_days: number | null;
}

export class RetentionResponse {
  @ApiProperty({ ...DAYS, description: 'What the account has set for calls' })
  declare calls_days: number | null;

  @ApiProperty({ ...DAYS, description: 'What the account has set for recordings' })
  declare recordings_days: number | null;

  @ApiProperty({ ...DAYS, description: 'What the account has set for conversations' })
  declare conversations_days: number | null;

  @ApiProperty({
    type: RetentionInForceResponse,
    description: 'What holds: the shorter of that and what the installation keeps',
  })
  declare in_force: RetentionInForceResponse;
}

export function toRetentionResponse({ own, inForce }: Retention): RetentionResponse {
  return { ...toDays(own), in_force: toDays(inForce) };
}

function toDays({ callsDays, recordingsDays, conversationsDays }: OwnDays) {
  return { calls_days: callsDays, recordings_days: recordingsDays, conversations_days: conversationsDays };
}
