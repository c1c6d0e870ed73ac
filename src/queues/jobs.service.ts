import { getQueueToken } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { RepeatedLines } from '../common/observability/repeated-lines.js';
import { jobDefinitions } from './job-definitions.js';
import type { JobDefinition, PayloadOf } from './job-definition.js';
import { WakeUps } from './wake-ups.js';

const KEEP_COMPLETED = { age: 3_600, count: 1_000 };
const KEEP_FAILED = { age: 7 * 86_400, count: 5_000 };
/** At the end of the process. What the queue has not taken by then is found by a sweep. */
const FLUSH_MS = 1_000;
/** A queue that was away, or lost its data, has its schedules again after this long. */
const LOOK_AT_SCHEDULES_MS = 15_000;

export interface WakeOptions {
  /** Of waiting jobs with the same id there is one. */
  readonly id?: string;
}

/**
 * Wakes workers up. The rows are the record: nobody waits for the queue, and whatever it does not take is found by the
 * sweep of its kind (docs/decisions.md has the list).
 */
@Injectable()
export class Jobs implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly lines = new RepeatedLines();
  private readonly wakeUps = new WakeUps((err) => this.report('worker not woken up', err));
  private scheduling: NodeJS.Timeout | undefined;

  constructor(private readonly modules: ModuleRef) {}

  /** Without a listener a lost connection would end the process; the backend reconnects by itself. */
  onModuleInit(): void {
    for (const definition of jobDefinitions) {
      this.queueOf(definition).on('error', (err) => this.report('queue connection', err));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.scheduling);
    await this.wakeUps.settle(FLUSH_MS);
  }

  /**
   * Has a worker run a job soon. After the commit, never inside a transaction: the worker must find the row. Returns at
   * once and never fails.
   */
  wake<Definition extends JobDefinition>(
    definition: Definition,
    payload: PayloadOf<Definition>,
    { id }: WakeOptions = {},
  ): void {
    const key = `${definition.name}:${id ?? JSON.stringify(payload)}`;
    this.wakeUps.send(key, () => this.add(definition, payload, id));
  }

  /**
   * Keeps the schedules of recurring jobs in the queue, also of one that is away now or loses its data later. Many
   * processes may do so.
   */
  keepScheduled(definitions: readonly JobDefinition[]): void {
    const lookAll = () => {
      for (const { name, everyMs } of definitions) {
        if (everyMs !== undefined) this.wakeUps.send(`schedule:${name}`, () => this.schedule(name, everyMs));
      }
    };
    lookAll();
    this.scheduling = setInterval(lookAll, LOOK_AT_SCHEDULES_MS).unref();
  }

  private add({ name, retry }: JobDefinition, payload: unknown, id: string | undefined): Promise<unknown> {
    return this.queueOf({ name }).add(name, payload, {
      attempts: retry.attempts,
      backoff: { type: 'exponential', delay: retry.backoffMs, jitter: 0.2 },
      removeOnComplete: KEEP_COMPLETED,
      removeOnFail: KEEP_FAILED,
      ...(id ? { deduplication: { id } } : {}),
    });
  }

  /** A schedule that is as it should be is left alone: to set it again would put off its next run. */
  private async schedule(name: string, everyMs: number): Promise<void> {
    const queue = this.queueOf({ name });
    const found = await queue.getJobScheduler(name);
    if (found?.every === everyMs && (found.next ?? 0) > 0) return;
    await queue.upsertJobScheduler(
      name,
      { every: everyMs },
      { name, data: {}, opts: { removeOnComplete: KEEP_COMPLETED, removeOnFail: KEEP_FAILED } },
    );
  }

  /**
   * Plans every job anew by the calendar as it is now: recurring ones begin their rhythm again, delayed ones come at once.
   * Handlers are idempotent, so one that comes early does no harm.
   */
  async replan(): Promise<void> {
    for (const definition of jobDefinitions) {
      const queue = this.queueOf(definition);
      if (definition.everyMs === undefined) {
        await queue.promoteJobs();
      } else {
        // Merely set again, a schedule would keep its next moment.
        await queue.removeJobScheduler(definition.name);
        await this.schedule(definition.name, definition.everyMs);
      }
    }
  }

  private report(message: string, err: unknown): void {
    this.lines.write(message, (repeated) =>
      this.logger.warn(message, { err, ...(repeated > 0 ? { repeated } : {}) }),
    );
  }

  private queueOf({ name }: Pick<JobDefinition, 'name'>): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }
}
