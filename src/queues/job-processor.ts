import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { JobDefinition, PayloadOf } from './job-definition.js';

/** Base of processors: checks the payload, then hands it on. A processor itself is three lines. */
export abstract class JobProcessor<Definition extends JobDefinition> extends WorkerHost {
  protected constructor(readonly definition: Definition) {
    super();
  }

  protected abstract handle(payload: PayloadOf<Definition>): Promise<unknown>;

  async process(job: Job<unknown>): Promise<void> {
    await this.handle(this.definition.schema.parse(job.data) as PayloadOf<Definition>);
  }
}
