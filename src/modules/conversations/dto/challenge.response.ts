import { ApiProperty } from '@nestjs/swagger';
import type { Challenge } from '../../visitors/challenges.service.js';

export class ChallengeResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;

  @ApiProperty({ enum: ['SHA-256'], description: 'How the challenge is solved' })
  declare algorithm: 'SHA-256';

  @ApiProperty({ example: 'v1.2hX9kQ.c2Vh.bGVk.dGFn', description: 'Secret to be sent back' })
  declare token: string;

  @ApiProperty({
    type: 'integer',
    description: 'A solution is a text for which the hash of `token.solution` begins with so many zero bits',
  })
  declare difficulty: number;

  @ApiProperty({ format: 'date-time', description: 'Until when it is valid, ISO 8601 in UTC' })
  declare expires_at: string;
}

export function toChallengeResponse({ token, difficulty, expiresAt }: Challenge): ChallengeResponse {
  return { status: true, algorithm: 'SHA-256', token, difficulty, expires_at: expiresAt.toISOString() };
}
