/** Tokens of several requests together. Each is null until a provider has reported it: unknown is not zero. */
export interface TokenSum {
  readonly inputTokens: number | null;
  /** Of the input, those that providers had kept from requests before. */
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number | null;
}

export const NO_TOKENS: TokenSum = { inputTokens: null, cachedInputTokens: null, outputTokens: null };

/** @param more null where the provider does not count */
export function addTokens(sum: TokenSum, more: TokenSum | null): TokenSum {
  if (more === null) return sum;
  return {
    inputTokens: sumOf(sum.inputTokens, more.inputTokens),
    cachedInputTokens: sumOf(sum.cachedInputTokens, more.cachedInputTokens),
    outputTokens: sumOf(sum.outputTokens, more.outputTokens),
  };
}

function sumOf(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}
