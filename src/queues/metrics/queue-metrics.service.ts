import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Job, Queue } from 'bullmq';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { JobCatalog } from '../job-catalog.js';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Shows operators whether workers keep up. The queues are those of the installation, so every process shows the same. */
@Injectable()
export class QueueMetricsService {
  constructor(
    metrics: MetricsService,
    private readonly modules: ModuleRef,
    private readonly catalog: JobCatalog,
  ) {
    metrics.gauge({
      name: 'prosa_queue_jobs',
      help: 'Jobs of the installation by queue and state',
      labelNames: ['queue', 'state'],
      read: async () => (await this.ofEach((queue) => this.counts(queue))).flat(),
    });
    metrics.gauge({
      name: 'prosa_queue_lag_seconds',
      help: 'For how long the oldest job of a queue has been waiting that could run now',
      labelNames: ['queue'],
      read: () => this.ofEach((queue) => this.lag(queue)),
    });
  }

  private ofEach<T>(read: (queue: Queue) => Promise<T>): Promise<T[]> {
    const { queueNames } = this.catalog;
    return Promise.all(
      queueNames.map((name) => read(this.modules.get<Queue>(getQueueToken(name), { strict: false }))),
    );
  }

  private async counts(queue: Queue) {
    const counts = await queue.getJobCounts(...STATES);
    return STATES.map((state) => ({ labels: { queue: queue.name, state }, value: counts[state] ?? 0 }));
  }

  private async lag(queue: Queue) {
    const [oldest] = await queue.getJobs(['waiting'], 0, 0, true);
    const dueAt = oldest ? dueAtOf(oldest) : Date.now();
    return { labels: { queue: queue.name }, value: Math.max(0, Date.now() - dueAt) / 1_000 };
  }
}

/** Milliseconds of the calendar. Of a job that has failed BullMQ keeps its last start, and not the end of its backoff. */
function dueAtOf({ timestamp, processedOn, attemptsMade, opts: { delay = 0, backoff } }: Job): number {
  if (processedOn === undefined || attemptsMade === 0) return timestamp + delay;
  const firstMs = typeof backoff === 'object' ? (backoff.delay ?? 0) : 0;
  return processedOn + firstMs * 2 ** (attemptsMade - 1);
}
