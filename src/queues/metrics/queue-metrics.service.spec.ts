import { beforeEach, expect, it } from '@jest/globals';
import type { ModuleRef } from '@nestjs/core';
import type { Job } from 'bullmq';
import { Logger } from '../../common/observability/logger.js';
import { MetricsService } from '../../common/observability/metrics.service.js';
import type { JobCatalog } from '../job-catalog.js';
import { QueueMetricsService } from './queue-metrics.service.js';

type WaitingJob = Pick<Job, 'timestamp' | 'processedOn' | 'attemptsMade' | 'opts'>;

const BACKOFF = { type: 'exponential', delay: 60_000, jitter: 0.2 };

let oldest: WaitingJob;
let metrics: MetricsService;

beforeEach(() => {
  metrics = new MetricsService(Logger.create('silent'));
  addGauges();
});

function addGauges(): QueueMetricsService {
  const queue = { name: 'send-email', getJobCounts: async () => ({}), getJobs: async () => [oldest] };
  const modules = { get: () => queue } as unknown as ModuleRef;
  return new QueueMetricsService(metrics, modules, { queueNames: [queue.name] } as unknown as JobCatalog);
}

async function lag(): Promise<number> {
  const text = await metrics.read();
  return Number(/^prosa_queue_lag_seconds\{.*\} (.*)$/m.exec(text)?.[1]);
}

it('shows how long a job that was delayed has been due', async () => {
  const timestamp = Date.now() - 100_000;
  oldest = { timestamp, attemptsMade: 0, opts: { delay: 70_000 } };
  expect(await lag()).toBeCloseTo(30, 0);
});

it('does not count earlier runs of a failed job, and the wait for its next one, as lag', async () => {
  const run = { timestamp: Date.now() - 3_600_000, attemptsMade: 3, opts: { backoff: BACKOFF } };
  oldest = { ...run, processedOn: Date.now() - 245_000 };
  expect(await lag()).toBeCloseTo(5, 0);

  // It was due a little earlier than after its longest wait.
  oldest = { ...run, processedOn: Date.now() - 230_000 };
  expect(await lag()).toBe(0);
});
