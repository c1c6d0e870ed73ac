import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { JobDefinition, PayloadOf } from './job-definition.js';

/** Base of processors: checks the payload, then hands it on. A processor itself is three lines. */
export abstract class JobProcessor<Definition extends JobDefinition> extends WorkerHost {
  private readonly logger = new Logger('Worker');

  protected constructor(readonly definition: Definition) {
    super();
  }

  protected abstract handle(payload: PayloadOf<Definition>): Promise<unknown>;

  async process(job: Job<unknown>): Promise<void> {
    await this.handle(this.definition.schema.parse(job.data) as PayloadOf<Definition>);
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, error: Error): void {
    this.logger.error('job failed', { job: this.definition.name, attempt: job?.attemptsMade, err: error });
  }

  /** Without a listener a lost connection would end the process; the backend reconnects by itself. */
  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn('queue connection', { job: this.definition.name, err: error });
  }
}
