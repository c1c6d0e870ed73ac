import { getQueueToken } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { JobCatalog } from './job-catalog.js';
import { type JobDefinition, MAINTENANCE_QUEUE, type PayloadOf } from './job-definition.js';
import { QueueUnavailableError } from './backend/queue-unavailable.error.js';
import { WakeUps } from './wake-ups.js';

/** Completed jobs are never read, and keeping the last of them costs the database milliseconds at the end of each. */
const REMOVE_COMPLETED = true;
const KEEP_FAILED = { age: 7 * 86_400, count: 5_000 };
/** At the end of the process. What the queue has not taken by then is found by a sweep. */
const FLUSH_MS = 1_000;
/** A queue that was away, or lost its data, has its schedules again after this long. */
const LOOK_AT_SCHEDULES_MS = 15_000;
/** How far clocks of machines may differ without a schedule of another machine counting as wrong. */
const MAX_CLOCK_GAP_MS = 15_000;

export interface WakeOptions {
  /** Of waiting jobs with the same id there is one. */
  readonly id?: string;
}

/**
 * Wakes workers up. The rows are the record: callers do not wait for the queue, and the sweep of a kind finds jobs
 * that the queue did not accept (docs/explanation/decisions/platform.md).
 */
@Injectable()
export class JobsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobsService.name);
  private readonly wakeUps = new WakeUps((err) => this.report('worker not woken up', err));
  private scheduling: NodeJS.Timeout | undefined;

  constructor(
    private readonly modules: ModuleRef,
    private readonly catalog: JobCatalog,
  ) {}

  /** Without a listener a lost connection would end the process; the backend reconnects by itself. */
  onModuleInit(): void {
    for (const queue of this.catalog.queueNames) {
      this.queueNamed(queue).on('error', (err) => this.report('queue connection', err));
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
   * Keeps the schedule in the queue, also in one that is away now or loses its data later. Many processes may do so.
   */
  keepScheduled(): void {
    const look = () => this.wakeUps.send('schedule', () => this.schedule());
    look();
    this.scheduling = setInterval(look, LOOK_AT_SCHEDULES_MS).unref();
  }

  private add(definition: JobDefinition, payload: unknown, id: string | undefined): Promise<unknown> {
    const { name, retry } = definition;
    return this.queueNamed(this.catalog.queueOf(definition)).add(name, payload, {
      attempts: retry.attempts,
      backoff: { type: 'exponential', delay: retry.backoffMs, jitter: 0.2 },
      removeOnComplete: REMOVE_COMPLETED,
      removeOnFail: KEEP_FAILED,
      ...(id ? { deduplication: { id } } : {}),
    });
  }

  /** A schedule of an earlier release. This release plans its work as well. */
  async unschedule(name: string): Promise<void> {
    await this.queueNamed(MAINTENANCE_QUEUE).removeJobScheduler(name);
  }

  /**
   * A correct schedule is left alone: setting it again would postpone its next run. One whose next run is more than
   * an interval away was planned before the clock was set back, while no process ran to notice it. After a new one
   * all definitions run once, as the time of their last run is unknown.
   */
  private async schedule(): Promise<void> {
    const { tickMs: every, tickName: name, allIntervalsName } = this.catalog;
    if (every === 0) return;
    const queue = this.queueNamed(MAINTENANCE_QUEUE);
    const found = await queue.getJobScheduler(name);
    const next = found?.next ?? 0;
    if (found?.every === every && next > 0 && next <= Date.now() + every + MAX_CLOCK_GAP_MS) return;
    // Merely set again, a schedule would keep its next moment.
    if (found) await queue.removeJobScheduler(name);
    const opts = { removeOnComplete: REMOVE_COMPLETED, removeOnFail: KEEP_FAILED };
    await queue.upsertJobScheduler(name, { every }, { name, data: {}, opts });
    await queue.add(allIntervalsName, {}, { ...opts, deduplication: { id: allIntervalsName } });
  }

  /**
   * Plans every job anew by the calendar as it is now: recurring ones begin their rhythm again, delayed ones come at once.
   * Handlers are idempotent, so one that comes early does no harm.
   */
  async replan(): Promise<void> {
    await this.queueNamed(MAINTENANCE_QUEUE).removeJobScheduler(this.catalog.tickName);
    await this.schedule();
    for (const queue of this.catalog.queueNames) {
      if (queue !== MAINTENANCE_QUEUE) await this.queueNamed(queue).promoteJobs();
    }
  }

  private report(message: string, err: unknown): void {
    this.logger.warn(message, { err: new QueueUnavailableError(err) });
  }

  private queueNamed(name: string): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }
}
