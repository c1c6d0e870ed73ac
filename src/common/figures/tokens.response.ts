import { ApiProperty } from '@nestjs/swagger';

/** Null, all of them or the cached ones alone, where no provider told any. */
interface CountedTokens {
  readonly inputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number | null;
}

export class TokensResponse {
  @ApiProperty({ type: 'integer', description: 'What models were given to read', example: 48200 })
  declare input: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of the input, what providers had kept from requests before; null where none of them tells',
    example: 30100,
  })
  declare cached_input: number | null;

  @ApiProperty({ type: 'integer', description: 'What models have written or spoken', example: 5120 })
  declare output: number;
}

export function toTokensResponse(tokens: CountedTokens): TokensResponse | null {
  const { inputTokens: input, cachedInputTokens: cached_input, outputTokens: output } = tokens;
  return input === null || output === null ? null : { input, cached_input, output };
}
