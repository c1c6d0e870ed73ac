import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Job } from 'bullmq';
import { JobCatalog } from './job-catalog.js';
import { MAINTENANCE_QUEUE } from './job-definition.js';
import { findProcessors, type AnyProcessor } from './job-processor.js';
import { QueueUnavailableError } from './queue-unavailable.error.js';
import { WORKER_OPTIONS } from './worker-options.js';

/** Room for a run of each interval, its successor, and what is asked for in between: no long run stops the others. */
const CONCURRENCY = 32;

/** Runs of one definition in this process. */
interface Runs {
  readonly current: Promise<void>;
  readonly isNextWaiting: boolean;
}

/** Runs what is due by its interval, or was asked for, each in the processor of its definition. */
@Processor(MAINTENANCE_QUEUE, { ...WORKER_OPTIONS, concurrency: CONCURRENCY })
export class MaintenanceProcessor extends WorkerHost {
  private readonly logger = new Logger('Worker');
  private readonly runs = new Map<string, Runs>();
  private processors: ReadonlyMap<string, AnyProcessor> | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly catalog: JobCatalog,
  ) {
    super();
  }

  /** One that fails does not keep the others of its interval from running. */
  async process({ name }: Pick<Job, 'name'>): Promise<void> {
    const results = await Promise.allSettled(
      this.catalog.definitionNamesOf(name).map((each) => this.run(each)),
    );
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} jobs of ${name} failed`);
  }

  /**
   * One definition runs once at a time in a process. What comes meanwhile waits for its end and then looks again, and
   * what comes after that is seen to by the one that waits.
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
