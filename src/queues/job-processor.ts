import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import type { Job } from 'bullmq';
import { inSpan } from '../common/observability/tracing.js';
import type { JobDefinition, PayloadOf } from './job-definition.js';
import { QueueUnavailableError } from './backend/queue-unavailable.error.js';

/** Base of processors: checks the payload, then hands it on. A processor itself is three lines. */
export abstract class JobProcessor<Definition extends JobDefinition> extends WorkerHost {
  private readonly logger = new Logger('Worker');

  protected constructor(readonly definition: Definition) {
    super();
  }

  protected abstract handle(payload: PayloadOf<Definition>): Promise<unknown>;

  async process(job: Pick<Job<unknown>, 'data'>): Promise<void> {
    const handle = async () => this.handle(this.definition.schema.parse(job.data) as PayloadOf<Definition>);
    // A look for work at an interval is no work by itself.
    if (this.definition.everyMs !== undefined) await handle();
    else await inSpan(`job ${this.definition.name}`, {}, handle);
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, error: Error): void {
    this.logger.error('job failed', { job: this.definition.name, attempt: job?.attemptsMade, err: error });
  }

  /** Without a listener a lost connection would end the process; the backend reconnects by itself. */
  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn('queue connection', {
      queue: this.definition.name,
      err: new QueueUnavailableError(error),
    });
  }
}

export type AnyProcessor = JobProcessor<JobDefinition>;

/** The processors that this process has. */
export function findProcessors(discovery: DiscoveryService): AnyProcessor[] {
  return discovery
    .getProviders()
    .map(({ instance }: { instance?: unknown }) => instance)
    .filter((instance) => instance instanceof JobProcessor);
}
