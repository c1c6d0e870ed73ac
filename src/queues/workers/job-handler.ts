import { inSpan } from '../../common/observability/tracing.js';
import type { JobDefinition, PayloadOf } from '../job-definition.js';

/** What does the work of one kind of job. */
export interface JobHandler {
  readonly definition: JobDefinition;
  /** Names the method and its module, for error messages. */
  readonly place: string;
  /** Takes the payload as the queue returns it. */
  readonly run: (data: unknown) => Promise<void>;
}

/** Checks the payload of a job, then runs its handler. */
export async function runJob<Definition extends JobDefinition>(
  { name, schema, everyMs }: Definition,
  data: unknown,
  handle: (payload: PayloadOf<Definition>) => Promise<unknown>,
): Promise<void> {
  const run = async () => handle(schema.parse(data) as PayloadOf<Definition>);
  // A job that only looks for work needs no trace of its own.
  if (everyMs !== undefined) await run();
  else await inSpan(`job ${name}`, {}, run);
}
