import { Processor } from '@nestjs/bullmq';
import type { JobDefinition } from './job-definition.js';

/** After both together a job whose process has died is taken up by another. A living one renews its lock twice as often. */
const LOCK_MS = 15_000;
const LOOK_FOR_DEAD_MS = 10_000;

/** Binds a processor class to the queue of its job. */
export function ProcessorOf({ name, concurrency }: JobDefinition): ClassDecorator {
  return Processor(name, { concurrency, lockDuration: LOCK_MS, stalledInterval: LOOK_FOR_DEAD_MS });
}
