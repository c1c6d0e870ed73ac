import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import type { Job } from 'bullmq';
import { RepeatedLines } from '../common/observability/repeated-lines.js';
import type { JobDefinition, PayloadOf } from './job-definition.js';

/** Of all workers of the process: they lose the same queue. */
const lines = new RepeatedLines();

/** Base of processors: checks the payload, then hands it on. A processor itself is three lines. */
export abstract class JobProcessor<Definition extends JobDefinition> extends WorkerHost {
  private readonly logger = new Logger('Worker');

  protected constructor(readonly definition: Definition) {
    super();
  }

  protected abstract handle(payload: PayloadOf<Definition>): Promise<unknown>;

  async process(job: Pick<Job<unknown>, 'data'>): Promise<void> {
    await this.handle(this.definition.schema.parse(job.data) as PayloadOf<Definition>);
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, error: Error): void {
    this.logger.error('job failed', { job: this.definition.name, attempt: job?.attemptsMade, err: error });
  }

  /** Without a listener a lost connection would end the process; the backend reconnects by itself. */
  @OnWorkerEvent('error')
  onError(error: Error): void {
    const { name: job } = this.definition;
    lines.write('queue connection', (repeated) =>
      this.logger.warn('queue connection', { job, err: error, ...(repeated > 0 ? { repeated } : {}) }),
    );
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
