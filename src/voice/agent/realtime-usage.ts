import type { metrics } from '@livekit/agents';
import type { TokenUsage } from '../../providers/llm/chat-model.js';
import { tokenUsageOf } from '../../providers/llm/token-usage.js';

/**
 * What a realtime model used for one answer, also one that was cut off, as its server counted it. Null where it did not: the
 * engine writes 0 for missing counts, and each answer has at least its instructions as input.
 */
export function realtimeUsageOf({
  inputTokens,
  inputTokenDetails,
  outputTokens,
}: Pick<
  metrics.RealtimeModelMetrics,
  'inputTokens' | 'inputTokenDetails' | 'outputTokens'
>): TokenUsage | null {
  if (inputTokens === 0) return null;
  return tokenUsageOf({ inputTokens, cachedInputTokens: inputTokenDetails.cachedTokens, outputTokens });
}
