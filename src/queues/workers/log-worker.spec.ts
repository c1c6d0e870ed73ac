import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import { Logger as NestLogger } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { z } from 'zod';
import { Logger } from '../../common/observability/logger.js';
import type { JobCatalog } from '../job-catalog.js';
import { defineJob } from '../job-definition.js';
import { JobProcessor } from '../job-processor.js';
import type { JobsService } from '../jobs.service.js';
import { MaintenanceProcessor } from './maintenance-runs.js';

const job = (name: string) =>
  defineJob({ name, schema: z.object({}), retry: { attempts: 1, backoffMs: 1 }, concurrency: 1 });

class Worker extends JobProcessor<ReturnType<typeof job>> {
  constructor(name: string) {
    super(job(name));
  }

  protected handle(): Promise<unknown> {
    return Promise.resolve();
  }
}

describe('a queue that is away', () => {
  let text = '';

  beforeAll(() => {
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString('utf8');
        done();
      },
    });
    NestLogger.overrideLogger(Logger.create('info', stream));
  });
  afterAll(() => NestLogger.overrideLogger(['fatal']));

  it('is written to the log once by all workers together, with what the driver says', () => {
    const maintenance = new MaintenanceProcessor({} as DiscoveryService, {} as JobCatalog, {} as JobsService);
    const workers = [new Worker('dial'), new Worker('mail'), maintenance];
    for (let time = 0; time < 50; time++) {
      for (const worker of workers) worker.onError(new Error('connect ECONNREFUSED'));
    }
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      msg: 'queue connection',
      err: { type: 'QueueUnavailableError', cause: { message: 'connect ECONNREFUSED' } },
    });
  });
});
