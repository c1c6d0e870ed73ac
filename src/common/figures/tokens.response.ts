import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger } from '../http/response-fields.js';
import type { TokenSum } from './token-sum.js';

export class TokensResponse {
  @ApiProperty({ type: 'integer', description: 'What models were given to read', example: 48200 })
  declare input: number;

  @NullableInteger({
    description: 'Of the input, what providers had kept from requests before; null where none of them tells',
    example: 30100,
  })
  declare cached_input: number | null;

  @ApiProperty({ type: 'integer', description: 'What models have written or spoken', example: 5120 })
  declare output: number;
}

export function toTokensResponse(tokens: TokenSum): TokensResponse | null {
  const { inputTokens: input, cachedInputTokens: cached_input, outputTokens: output } = tokens;
  return input === null || output === null ? null : { input, cached_input, output };
}
