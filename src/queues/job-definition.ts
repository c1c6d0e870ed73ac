import type { z } from 'zod';

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
}

export type PayloadOf<Definition extends JobDefinition> = z.output<Definition['schema']>;

export function defineJob<Schema extends z.ZodType>(
  definition: JobDefinition<Schema>,
): JobDefinition<Schema> {
  return definition;
}
