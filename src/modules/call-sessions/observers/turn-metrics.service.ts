import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import type { LineLatenessFigures, TurnMetrics } from '../../../runtime/call/session/session-facts.js';

const LATENESS_BUCKETS_SECONDS = [0.06, 0.1, 0.2, 0.5, 1, 2, 5];
const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

/** Shows operators how long customers wait for answers, of all calls of this process. */
@Injectable()
export class TurnMetricsService {
  private readonly observe: (labels: { part: string }, seconds: number) => void;
  private readonly observeLateness: (labels: Record<string, never>, seconds: number) => void;
  private lateSeconds = 0;
  private gapSeconds = 0;

  constructor(metrics: MetricsService) {
    this.observe = metrics.histogram(
      {
        name: 'prosa_call_turn_seconds',
        help: 'From the end of the customer’s speech to the first sound of the answer (response), and the parts of that time',
        labelNames: ['part'],
      },
      BUCKETS_SECONDS,
    );
    this.observeLateness = metrics.histogram(
      {
        name: 'prosa_call_sound_lateness_seconds',
        help: 'How late the latest sound of the customer was, once for each call that has ended',
        labelNames: [],
      },
      LATENESS_BUCKETS_SECONDS,
    );
    metrics.total({
      name: 'prosa_call_sound_late_seconds_total',
      help: 'Sound of calls that have ended: heard more than 60 ms late, or gaps in what was sent',
      labelNames: ['kind'],
      read: () =>
        Promise.resolve([
          { labels: { kind: 'heard' }, value: this.lateSeconds },
          { labels: { kind: 'gap' }, value: this.gapSeconds },
        ]),
    });
  }

  /** Of a call that is over. */
  soundWasLate({ lateMs, maxLateMs, gapMs }: LineLatenessFigures): void {
    this.observeLateness({}, maxLateMs / 1_000);
    this.lateSeconds += lateMs / 1_000;
    this.gapSeconds += gapMs / 1_000;
  }

  /** Parts without a measurement are left out. */
  took(turn: TurnMetrics): void {
    const parts = {
      response: turn.responseMs,
      endpointing: turn.endpointingMs,
      recognition: turn.recognitionMs,
      model: turn.modelMs,
      synthesis: turn.synthesisMs,
      platform: turn.platformMs,
    };
    for (const [part, ms] of Object.entries(parts)) if (ms !== null) this.observe({ part }, ms / 1_000);
  }
}
