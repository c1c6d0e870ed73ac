import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import type { TurnMetrics } from '../../../runtime/call/talk-facts.js';

const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

/** Shows operators how long customers wait for answers, of all calls of this process. */
@Injectable()
export class TurnMetricsService {
  private readonly observe: (labels: { part: string }, seconds: number) => void;

  constructor(metrics: MetricsService) {
    this.observe = metrics.histogram(
      {
        name: 'prosa_call_turn_seconds',
        help: 'From the end of the customer’s speech to the first sound of the answer (response), and the parts of that time',
        labelNames: ['part'],
      },
      BUCKETS_SECONDS,
    );
  }

  /** Parts that nobody could measure are left out. */
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
