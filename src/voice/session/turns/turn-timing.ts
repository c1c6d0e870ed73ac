import type { metrics } from '@livekit/agents';
import type { TurnMetrics } from '../../../runtime/call/session/assistant-session.js';

interface RunningTurn {
  readonly eou: metrics.EOUMetrics;
  /** Of `Date.now()`. */
  readonly firstSoundAtMs: number | null;
}

const MAX_KEPT = 32;

/** Puts together how long each turn took, of what the engine measures and what the line hears. */
export class TurnTiming {
  private turn: RunningTurn | null = null;
  /** By the engine's id of a speech. */
  private readonly modelMs = new Map<string, number>();
  private readonly synthesisMs = new Map<string, number>();

  /** @param elapsedMs the time since the answer of the call */
  constructor(
    private readonly elapsedMs: () => number,
    private readonly onTurn: (turn: TurnMetrics) => void,
  ) {}

  measured(measure: metrics.AgentMetrics): void {
    // Without an end of the customer's speech there is nothing that a time could be counted from.
    if (measure.type === 'eou_metrics')
      this.turn = measure.lastSpeakingTimeMs > 0 ? { eou: measure, firstSoundAtMs: null } : null;
    else if (measure.type === 'llm_metrics') keep(this.modelMs, measure.speechId, measure.ttftMs);
    else if (measure.type === 'tts_metrics') keep(this.synthesisMs, measure.speechId, measure.ttfbMs);
  }

  /** The assistant can be heard. */
  soundStarted(): void {
    if (this.turn && this.turn.firstSoundAtMs === null)
      this.turn = { ...this.turn, firstSoundAtMs: Date.now() };
  }

  /** The assistant has spoken: by now everything is measured. */
  soundEnded(): void {
    const { turn } = this;
    if (!turn || turn.firstSoundAtMs === null) return;
    this.turn = null;
    this.onTurn(this.metricsOf(turn.eou, turn.firstSoundAtMs));
  }

  private metricsOf(eou: metrics.EOUMetrics, firstSoundAtMs: number): TurnMetrics {
    const { lastSpeakingTimeMs, endOfUtteranceDelayMs, transcriptionDelayMs, speechId = '' } = eou;
    const responseMs = Math.max(firstSoundAtMs - lastSpeakingTimeMs, 0);
    const recognitionMs = Math.min(Math.max(transcriptionDelayMs, 0), endOfUtteranceDelayMs);
    const endpointingMs = endOfUtteranceDelayMs - recognitionMs;
    const synthesisMs = this.synthesisMs.get(speechId) ?? null;
    const afterTurnMs = responseMs - endOfUtteranceDelayMs;
    // A model may begin before the turn is over: only what it took afterwards was waited for.
    const model = this.modelMs.get(speechId);
    const modelMs =
      model === undefined ? null : Math.max(Math.min(model, afterTurnMs - (synthesisMs ?? 0)), 0);
    return {
      atMs: this.elapsedMs() - (Date.now() - lastSpeakingTimeMs),
      responseMs,
      endpointingMs,
      recognitionMs,
      modelMs,
      synthesisMs,
      platformMs:
        modelMs === null || synthesisMs === null ? null : Math.max(afterTurnMs - modelMs - synthesisMs, 0),
    };
  }
}

function keep(times: Map<string, number>, speechId: string | undefined, ms: number): void {
  // The first request of a speech is the one that was waited for.
  if (speechId === undefined || times.has(speechId) || ms < 0) return;
  times.set(speechId, ms);
  const [oldest] = times.keys();
  if (times.size > MAX_KEPT && oldest !== undefined) times.delete(oldest);
}
