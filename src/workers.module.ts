import {
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { FeatureJobsModule } from './feature-jobs.module.js';
import type { Feature } from './feature.js';
import { JobCatalog } from './queues/job-catalog.js';
import { JobMetricsService } from './queues/metrics/job-metrics.service.js';
import { type AnyProcessor, findProcessors } from './queues/job-processor.js';
import { JobsService } from './queues/jobs.service.js';
import { MaintenanceProcessor } from './queues/workers/maintenance-runs.js';
import { QueueClockService } from './queues/workers/queue-clock.service.js';

/** The worker role: every processor, and the schedules of recurring jobs. */
@Module({})
export class WorkersModule implements OnApplicationBootstrap, OnModuleDestroy {
  static of(features: readonly Feature[]): DynamicModule {
    return {
      module: WorkersModule,
      imports: [DiscoveryModule, ...features.map((feature) => FeatureJobsModule.of(feature))],
      providers: [JobMetricsService, MaintenanceProcessor, QueueClockService],
    };
  }

  private processors: readonly AnyProcessor[] = [];

  constructor(
    private readonly jobs: JobsService,
    private readonly maintenance: MaintenanceProcessor,
    private readonly discovery: DiscoveryService,
    private readonly catalog: JobCatalog,
  ) {}

  onApplicationBootstrap(): void {
    this.processors = findProcessors(this.discovery);
    this.refuseUnhandledJobs();
    this.jobs.keepScheduled();
  }

  /**
   * Before anything else stops: a call that is dialled while calls are released would not be answered by an
   * assistant.
   */
  async onModuleDestroy(): Promise<void> {
    const own = this.processors.filter(({ definition }) => !definition.isSweep);
    for (const { worker } of [this.maintenance, ...own]) await worker.pause(true);
  }

  private refuseUnhandledJobs(): void {
    const handled = this.processors.map(({ definition }) => definition.name);
    const wrong = this.catalog.definitions.filter(
      ({ name }) => handled.filter((other) => other === name).length !== 1,
    );
    if (wrong.length > 0) {
      throw new Error(`jobs need exactly one processor each: ${wrong.map(({ name }) => name).join(', ')}`);
    }
  }
}
