import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { DrainService } from '../../common/http/connections/drain.service.js';
import { ServerConfig } from '../../config/config.js';
import { JobCatalog } from '../job-catalog.js';
import { defineSweep } from '../job-definition.js';
import { JobsService } from '../jobs.service.js';
import { JobMetricsService } from '../metrics/job-metrics.service.js';
import { JobWorkersService } from './job-workers.service.js';

const sweepInkJob = defineSweep({ name: 'sweep-ink', everyMs: 5_000 });

@Module({
  imports: [DiscoveryModule],
  providers: [
    JobWorkersService,
    { provide: JobCatalog, useValue: new JobCatalog([sweepInkJob]) },
    { provide: JobsService, useValue: {} },
    { provide: JobMetricsService, useValue: {} },
    DrainService,
    { provide: ServerConfig, useValue: { isPaused: false } },
  ],
})
class WorkersWithoutHandlersModule {}

describe('The workers of a process', () => {
  it('stop its start when a job has no handler', async () => {
    const start = NestFactory.createApplicationContext(WorkersWithoutHandlersModule, {
      logger: false,
      abortOnError: false,
    });
    await expect(start).rejects.toThrow('The job sweep-ink has no handler');
  });
});
