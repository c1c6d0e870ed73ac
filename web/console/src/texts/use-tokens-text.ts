import type { TokensResponse } from '#client/types.gen.js';
import { useTexts } from './texts.js';
import { useFormat } from './use-format.js';

/** Tokens in one line: what went in, how much of it came from a cache, and what came out. */
export function useTokensText() {
  const { sum } = useTexts('common').tokens;
  const { number } = useFormat();
  return ({ input, cached_input: cached, output }: TokensResponse) =>
    sum(number(input), number(output), cached === null ? null : number(cached));
}
