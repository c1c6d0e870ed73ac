import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

export class LiveResponse {
  @ApiProperty({ enum: ['ok'], description: 'State' })
  declare status: 'ok';
}

/** Each thing the process needs, by name, with its state and what else is known of it. */
const INDICATORS = {
  type: 'object' as const,
  additionalProperties: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', enum: ['up', 'down'] } },
    additionalProperties: true,
  },
  example: {
    database: { status: 'up' },
    'database-resources': { status: 'up' },
    queue: { status: 'up', degraded: false },
    storage: { status: 'up', degraded: false },
    traffic: { status: 'up', paused: false },
  },
} satisfies ApiPropertyOptions;

export class ReadyResponse {
  @ApiProperty({ enum: ['ok'], description: 'State' })
  declare status: 'ok';

  @ApiProperty({ ...INDICATORS, description: 'Parts that work' })
  declare info: object;

  @ApiProperty({ ...INDICATORS, example: {}, description: 'Parts that do not work' })
  declare error: object;

  @ApiProperty({ ...INDICATORS, description: 'State of each part' })
  declare details: object;
}
