import type { JobDefinition, PayloadOf } from './job-definition.js';
import { runJob } from './workers/job-handler.js';

/**
 * A class that does the work of a job.
 *
 * @deprecated use `@Handles(definition)` on a method of a provider. Prosa 0.4.0 removes this class.
 */
export abstract class JobProcessor<Definition extends JobDefinition> {
  protected constructor(readonly definition: Definition) {}

  protected abstract handle(payload: PayloadOf<Definition>): Promise<unknown>;

  process({ data }: { readonly data: unknown }): Promise<void> {
    return runJob(this.definition, data, (payload) => this.handle(payload));
  }
}
