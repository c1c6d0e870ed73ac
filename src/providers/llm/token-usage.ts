import type { TokenUsage } from './chat-model.js';

/** No request has more; what a server tells beyond is no count. */
const MAX_TOKENS = 1_000_000_000;

/** The token counts that a server reports. Null where they are no valid counts of input and output. */
export function tokenUsageOf(counted: { readonly [Kind in keyof TokenUsage]: unknown }): TokenUsage | null {
  const { inputTokens, cachedInputTokens, outputTokens } = counted;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null;
  return {
    inputTokens,
    cachedInputTokens: isCount(cachedInputTokens) ? cachedInputTokens : null,
    outputTokens,
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS;
}
