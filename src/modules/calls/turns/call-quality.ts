import type {
  IgnoredWords,
  LineLatenessFigures,
  TurnMetrics,
} from '../../../runtime/call/session/session-facts.js';

/**
 * How long the customer waited for answers, and how late the sound was, in milliseconds. Null in a part that could not
 * be measured.
 */
export interface CallQuality {
  /** Null where the customer never waited for an answer. */
  readonly response_ms: { readonly p50: number; readonly p95: number; readonly max: number } | null;
  /** How often a recognizer wrote words for noise; left out where it never did. */
  readonly ignored_noise?: number;
  /** How often a sign of listening ("uhum") was heard while the assistant spoke; left out where none was. */
  readonly ignored_backchannels?: number;
  /**
   * `late_ms`: what was heard of the customer more than 60 ms after its time; `max_late_ms`: how late the latest of it was;
   * `gap_ms`: gaps in what they heard of us, as nothing could be sent in time. Left out on calls before this was measured.
   */
  readonly lateness?: {
    readonly late_ms: number;
    readonly max_late_ms: number;
    readonly gap_ms: number;
  };
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

const NOTHING_IGNORED = { noise: 0, backchannel: 0 };

/**
 * Null where nothing was measured: on a line of text, or where the customer never waited, no words were ignored and no sound was
 * late.
 */
export function qualityOf(
  metrics: readonly TurnMetrics[],
  { noise, backchannel }: Readonly<Record<IgnoredWords['kind'], number>> = NOTHING_IGNORED,
  lateness: LineLatenessFigures | null = null,
): CallQuality | null {
  const wasLate = lateness !== null && (lateness.lateMs > 0 || lateness.gapMs > 0);
  if (metrics.length === 0 && noise === 0 && backchannel === 0 && !wasLate) return null;
  return {
    response_ms: responseMsOf(metrics),
    ...(noise > 0 ? { ignored_noise: noise } : {}),
    ...(backchannel > 0 ? { ignored_backchannels: backchannel } : {}),
    ...(lateness
      ? { lateness: { late_ms: lateness.lateMs, max_late_ms: lateness.maxLateMs, gap_ms: lateness.gapMs } }
      : {}),
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

function responseMsOf(metrics: readonly TurnMetrics[]): CallQuality['response_ms'] {
  const sorted = metrics.map(({ responseMs }) => Math.round(responseMs)).toSorted((a, b) => a - b);
  const [first] = sorted;
  if (first === undefined) return null;
  // The smallest of them that so many others do not exceed.
  const percentile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? first;
  return { p50: percentile(0.5), p95: percentile(0.95), max: percentile(1) };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
