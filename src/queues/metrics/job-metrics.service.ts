import { Injectable } from '@nestjs/common';
import type { Job, Worker } from 'bullmq';
import { MetricsService } from '../../common/observability/metrics.service.js';

const BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800];

/** Measures the jobs that the workers of this process run. */
@Injectable()
export class JobMetricsService {
  private readonly ran: (labels: { queue: string; result: string }, seconds: number) => void;
  private readonly waited: (labels: { queue: string }, seconds: number) => void;

  constructor(metrics: MetricsService) {
    this.ran = metrics.histogram(
      { name: 'prosa_job_seconds', help: 'How long jobs ran', labelNames: ['queue', 'result'] },
      BUCKETS_SECONDS,
    );
    this.waited = metrics.histogram(
      {
        name: 'prosa_job_wait_seconds',
        help: 'How long jobs that were due waited for their first run',
        labelNames: ['queue'],
      },
      BUCKETS_SECONDS,
    );
  }

  watch(queue: string, worker: Worker): void {
    worker.on('completed', (job) => this.took(queue, job, 'completed'));
    worker.on('failed', (job) => job && this.took(queue, job, 'failed'));
  }

  private took(queue: string, job: Job, result: string): void {
    const { timestamp, processedOn, finishedOn, attemptsMade, opts } = job;
    if (processedOn === undefined) return;
    this.ran({ queue, result }, ((finishedOn ?? Date.now()) - processedOn) / 1_000);
    if (attemptsMade > 1) return;
    this.waited({ queue }, Math.max(0, processedOn - timestamp - (opts.delay ?? 0)) / 1_000);
  }
}
