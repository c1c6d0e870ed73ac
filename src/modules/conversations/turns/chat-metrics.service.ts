import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { inSpan } from '../../../common/observability/tracing.js';

const BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 60, 120];

/** Shows operators how long people in chats wait for answers. */
@Injectable()
export class ChatMetricsService {
  private readonly observe: (labels: { result: 'answered' | 'failed' }, seconds: number) => void;

  constructor(metrics: MetricsService) {
    this.observe = metrics.histogram(
      {
        name: 'prosa_chat_turn_seconds',
        help: 'From the stored message to the stored answer of a chat turn, tools included',
        labelNames: ['result'],
      },
      BUCKETS_SECONDS,
    );
  }

  /** Measures a turn with any outcome. */
  async measure<T>(turn: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const took = () => (performance.now() - startedAt) / 1_000;
    try {
      const result = await inSpan('chat.turn', {}, turn);
      this.observe({ result: 'answered' }, took());
      return result;
    } catch (error) {
      this.observe({ result: 'failed' }, took());
      throw error;
    }
  }
}
