import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { QueuedCallsService } from '../../active-calls/queue/queued-calls.service.js';

const BUCKETS_SECONDS = [1, 5, 10, 20, 30, 60, 120, 180, 300, 600, 900];

/** How the wait of a caller ended. */
export type WaitOutcome = 'served' | 'abandoned' | 'timeout';

/** Shows operators how many callers wait, and for how long. */
@Injectable()
export class QueueMetricsService {
  private readonly observe: (labels: Record<string, string>, value: number) => void;

  constructor(metrics: MetricsService, queued: QueuedCallsService) {
    metrics.gauge({
      name: 'prosa_callers_waiting',
      help: 'Callers of the installation who wait for a line',
      labelNames: [],
      read: async () => [{ labels: {}, value: await queued.countAll() }],
    });
    this.observe = metrics.histogram(
      {
        name: 'prosa_caller_wait_seconds',
        help: 'How long callers of this process waited for a line, by how that ended: served, abandoned, timeout',
        labelNames: ['outcome'],
      },
      BUCKETS_SECONDS,
    );
  }

  waited(outcome: WaitOutcome, ms: number): void {
    this.observe({ outcome }, ms / 1_000);
  }
}
