import { Processor } from '@nestjs/bullmq';
import type { JobDefinition } from './job-definition.js';

/** Binds a processor class to the queue of its job. */
export function ProcessorOf(definition: JobDefinition): ClassDecorator {
  return Processor(definition.name, { concurrency: definition.concurrency });
}
