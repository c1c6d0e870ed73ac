import { z } from 'zod';

/** How a failed job is tried again. Handlers are idempotent: at-least-once is all a queue can promise. */
export interface RetryRule {
  /** Runs in all, the first included. */
  readonly attempts: number;
  /** Wait before the second run; doubles from there. */
  readonly backoffMs: number;
}

/** A kind of job: its queue has the same name, its payload carries ids and never customer content. */
export interface JobDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: Schema;
  readonly retry: RetryRule;
  /** Jobs of one process that run at the same time. */
  readonly concurrency: number;
  /** Runs by itself at this interval, once however many processes there are. */
  readonly everyMs?: number;
  /** Lives by its interval, so that it has no queue and no worker of its own. */
  readonly isSweep?: boolean;
  /**
   * What a worker does with it in a paused installation (`PROSA_PAUSED`). `waits` is for jobs that act outside of the
   * installation (calls, webhooks, carriers, deletion of stored files), charge rents or delete by age. Left out: `waits`.
   */
  readonly whilePaused?: 'runs' | 'waits';
}

/** The queue of all intervals: a timer is a job there, and not a queue with a worker of its own. */
export const MAINTENANCE_QUEUE = 'maintenance';

export type PayloadOf<Definition extends JobDefinition> = z.output<Definition['schema']>;

export function defineJob<Schema extends z.ZodType>(
  definition: JobDefinition<Schema>,
): JobDefinition<Schema> {
  return definition;
}

/** A job that looks for work at an interval: what one run leaves, or loses with its process, is found by the next. */
export function defineSweep({
  name,
  everyMs,
  whilePaused,
}: Required<Pick<JobDefinition, 'name' | 'everyMs'>> & Pick<JobDefinition, 'whilePaused'>) {
  return defineJob({
    name,
    schema: z.object({}),
    retry: { attempts: 1, backoffMs: 1_000 },
    concurrency: 1,
    everyMs,
    isSweep: true,
    ...(whilePaused && { whilePaused }),
  });
}
