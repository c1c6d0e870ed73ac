import type { TurnMetrics } from '../../../runtime/call/talk-facts.js';

/** How long the customer waited for answers, in milliseconds. Null in a part where nobody could tell. */
export interface CallQuality {
  readonly response_ms: { readonly p50: number; readonly p95: number; readonly max: number };
  readonly turns: readonly {
    readonly at_ms: number;
    readonly response_ms: number;
    readonly endpointing_ms: number | null;
    readonly recognition_ms: number | null;
    readonly model_ms: number | null;
    readonly synthesis_ms: number | null;
    readonly platform_ms: number | null;
  }[];
}

/** Null where nothing was measured: on a line of text, or where the customer never waited. */
export function qualityOf(metrics: readonly TurnMetrics[]): CallQuality | null {
  const sorted = metrics.map(({ responseMs }) => Math.round(responseMs)).toSorted((a, b) => a - b);
  const [first] = sorted;
  if (first === undefined) return null;
  // The smallest of them that so many others do not exceed.
  const percentile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? first;
  return {
    response_ms: { p50: percentile(0.5), p95: percentile(0.95), max: percentile(1) },
    turns: metrics.map((turn) => ({
      at_ms: Math.round(turn.atMs),
      response_ms: Math.round(turn.responseMs),
      endpointing_ms: rounded(turn.endpointingMs),
      recognition_ms: rounded(turn.recognitionMs),
      model_ms: rounded(turn.modelMs),
      synthesis_ms: rounded(turn.synthesisMs),
      platform_ms: rounded(turn.platformMs),
    })),
  };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
