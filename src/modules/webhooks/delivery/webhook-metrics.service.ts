import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { WebhookBacklogRepository } from './webhook-backlog.repository.js';

type AttemptResult = 'delivered' | 'refused' | 'no-answer';

const BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];

/** Shows operators whether webhooks reach their receivers. */
@Injectable()
export class WebhookMetricsService {
  private readonly observe: (labels: { result: AttemptResult }, seconds: number) => void;

  constructor(metrics: MetricsService, backlog: WebhookBacklogRepository) {
    this.observe = metrics.histogram(
      {
        name: 'prosa_webhook_attempt_seconds',
        help: 'How long tries to deliver webhooks took, by result',
        labelNames: ['result'],
      },
      BUCKETS_SECONDS,
    );
    const gauge = (name: string, help: string, part: 'pending' | 'overdueSeconds') =>
      metrics.gauge({
        name,
        help,
        labelNames: [],
        read: async () => [{ labels: {}, value: (await backlog.read())[part] }],
      });
    gauge('prosa_webhooks_pending', 'Webhooks of the installation that are not delivered yet', 'pending');
    gauge(
      'prosa_webhooks_overdue_seconds',
      'For how long the webhook has been due that has waited longest for its next try',
      'overdueSeconds',
    );
  }

  tried({
    statusCode,
    durationMs,
  }: {
    readonly statusCode: number | null;
    readonly durationMs: number;
  }): void {
    const isSuccess = statusCode !== null && statusCode >= 200 && statusCode < 300;
    const result = statusCode === null ? 'no-answer' : isSuccess ? 'delivered' : 'refused';
    this.observe({ result }, durationMs / 1_000);
  }
}
