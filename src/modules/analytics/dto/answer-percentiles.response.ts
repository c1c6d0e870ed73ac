import { ApiProperty } from '@nestjs/swagger';

/** How long customers waited for answers. */
export class AnswerPercentilesResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Half of the answers came within, in milliseconds',
    example: 640,
  })
  declare p50: number;

  @ApiProperty({
    type: 'integer',
    description: '95 % of the answers came within, in milliseconds',
    example: 1180,
  })
  declare p95: number;
}
