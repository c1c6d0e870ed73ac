import { setTimeout as sleep } from 'node:timers/promises';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Job } from 'bullmq';
import { JobCatalog } from '../job-catalog.js';
import { MAINTENANCE_QUEUE } from '../job-definition.js';
import { findProcessors, type AnyProcessor } from '../job-processor.js';
import { JobsService } from '../jobs.service.js';
import { QueueUnavailableError } from '../backend/queue-unavailable.error.js';
import { workerOptions } from './worker-options.js';

/** Room for a run of each interval, its successor, and what is asked for in between: no long run stops the others. */
const CONCURRENCY = 32;
/**
 * Definitions that are due at the same moment begin one after another, so that they share a connection instead of opening
 * one each. A long one holds up the next by no more than this.
 */
const HEAD_START_MS = 50;

/** Runs of one definition in this process. */
interface Runs {
  readonly current: Promise<void>;
  readonly isNextWaiting: boolean;
}

/** Runs what is due by its interval, or was asked for, each in the processor of its definition. */
@Processor(MAINTENANCE_QUEUE, { ...workerOptions(MAINTENANCE_QUEUE), concurrency: CONCURRENCY })
export class MaintenanceProcessor extends WorkerHost {
  private readonly logger = new Logger('Worker');
  private readonly runs = new Map<string, Runs>();
  private processors: ReadonlyMap<string, AnyProcessor> | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly catalog: JobCatalog,
    private readonly jobs: JobsService,
  ) {
    super();
  }

  /** One that fails does not keep the others that are due from running. */
  async process(job: Pick<Job, 'name' | 'id' | 'timestamp'>): Promise<void> {
    const { name } = job;
    if (this.catalog.isObsoleteSchedule(name)) await this.jobs.unschedule(name);
    const runs: Promise<void>[] = [];
    for (const each of this.catalog.definitionNamesOf({ name, dueAtMs: dueAtMsOf(job) })) {
      const run = this.run(each);
      runs.push(run);
      await Promise.race([run.catch(() => undefined), sleep(HEAD_START_MS)]);
    }
    const results = await Promise.allSettled(runs);
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} jobs of ${name} failed`);
  }

  /**
   * One definition runs once at a time in a process. A request during a run waits for its end and then runs once
   * more. Further requests share that second run.
   */
  private async run(name: string): Promise<void> {
    const runs = this.runs.get(name);
    if (runs?.isNextWaiting) return;
    const current = this.runAfter(runs?.current, name);
    this.runs.set(name, { current, isNextWaiting: runs !== undefined });
    try {
      await current;
    } finally {
      if (this.runs.get(name)?.current === current) this.runs.delete(name);
    }
  }

  private async runAfter(previous: Promise<void> | undefined, name: string): Promise<void> {
    if (previous) {
      await previous.catch(() => undefined);
      const runs = this.runs.get(name);
      if (runs) this.runs.set(name, { ...runs, isNextWaiting: false });
    }
    this.processors ??= new Map(
      findProcessors(this.discovery).map((found) => [found.definition.name, found]),
    );
    const processor = this.processors.get(name);
    if (!processor) throw new Error(`no processor for ${name}`);
    await processor.process({ data: {} });
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, error: Error): void {
    this.logger.error('job failed', { job: job?.name, attempt: job?.attemptsMade, err: error });
  }

  /** Without a listener a lost connection would end the process; the backend reconnects by itself. */
  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn('queue connection', { queue: MAINTENANCE_QUEUE, err: new QueueUnavailableError(error) });
  }
}

/** The queue names each run of a schedule after its moment. */
function dueAtMsOf({ id, timestamp }: Pick<Job, 'id' | 'timestamp'>): number {
  const [, dueAtMs] = /^repeat:.*:(\d+)$/.exec(id ?? '') ?? [];
  return dueAtMs === undefined ? timestamp : Number(dueAtMs);
}
