import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Feature } from './feature.js';
import { JobMetricsService } from './queues/metrics/job-metrics.service.js';
import { JobWorkersService } from './queues/workers/job-workers.service.js';
import { QueueClockService } from './queues/workers/queue-clock.service.js';

/** The worker role: the workers that run handlers of jobs, and the modules that only handlers need. */
@Module({})
export class WorkersModule {
  static of(features: readonly Feature[]): DynamicModule {
    return {
      module: WorkersModule,
      imports: [DiscoveryModule, ...features.flatMap(({ workerModules = [] }) => workerModules)],
      providers: [JobMetricsService, JobWorkersService, QueueClockService],
    };
  }
}
