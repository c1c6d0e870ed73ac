import { getQueueToken } from '@nestjs/bullmq';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { type Job, type Queue, Worker } from 'bullmq';
import { DrainService } from '../../common/http/connections/drain.service.js';
import { ServerConfig } from '../../config/config.js';
import { JobCatalog } from '../job-catalog.js';
import { MAINTENANCE_QUEUE } from '../job-definition.js';
import { JobsService } from '../jobs.service.js';
import { JobMetricsService } from '../metrics/job-metrics.service.js';
import { findHandlers, handlersByName } from './find-handlers.js';
import { logWorker } from './log-worker.js';
import { MAINTENANCE_CONCURRENCY, MaintenanceRuns } from './maintenance-runs.js';
import { workerOptions } from './worker-options.js';

/**
 * The workers of this process: one for each queue. They run the handlers of jobs. In a paused installation jobs that act
 * outside wait in their queues, without an attempt.
 */
@Injectable()
export class JobWorkersService implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly workers: Worker[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
    private readonly catalog: JobCatalog,
    private readonly jobs: JobsService,
    private readonly metrics: JobMetricsService,
    private readonly drain: DrainService,
    private readonly server: ServerConfig,
  ) {}

  /** @throws JobHandlersError when jobs and handlers do not match */
  onApplicationBootstrap(): void {
    const handlers = handlersByName(this.catalog.definitions, findHandlers(this.discovery));
    const waiting = this.server.isPaused ? this.catalog.waitingWhilePaused : new Set<string>();
    const maintenance = new MaintenanceRuns(handlers, this.catalog, this.jobs, waiting);
    this.open(MAINTENANCE_QUEUE, MAINTENANCE_CONCURRENCY, (job) => maintenance.process(job));
    for (const { definition, run } of handlers.values()) {
      if (waiting.has(definition.name)) continue;
      // The worker of the maintenance queue runs sweeps.
      if (!definition.isSweep) this.open(definition.name, definition.concurrency, ({ data }) => run(data));
    }
    this.jobs.keepScheduled();
    this.drain.leaving.addEventListener('abort', () => void this.pause());
  }

  /** Workers take no new jobs before anything else stops, so that none dials a call while the process hands its calls over. */
  async onModuleDestroy(): Promise<void> {
    await this.pause();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  private async pause(): Promise<void> {
    for (const worker of this.workers) await worker.pause(true);
  }

  private open(name: string, concurrency: number, process: (job: Job<unknown>) => Promise<void>): void {
    const { connection } = this.modules.get<Queue>(getQueueToken(name), { strict: false }).opts;
    const worker = new Worker(name, process, { connection, ...workerOptions(name), concurrency });
    logWorker(worker, name);
    this.metrics.watch(name, worker);
    this.workers.push(worker);
  }
}
