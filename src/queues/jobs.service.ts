import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { jobDefinitions } from './job-definitions.js';
import type { JobDefinition, PayloadOf } from './job-definition.js';

const KEEP_COMPLETED = { age: 3_600, count: 1_000 };
const KEEP_FAILED = { age: 7 * 86_400, count: 5_000 };

export interface EnqueueOptions {
  readonly delayMs?: number;
  /** Of waiting jobs with the same id there is one. Rows are the record, so a lost or refused job is found by a sweeper. */
  readonly id?: string;
}

/** Wakes workers up. Enqueue after the commit, never inside a transaction: the worker must find the row. */
@Injectable()
export class Jobs implements OnModuleInit {
  private readonly logger = new Logger(Jobs.name);

  constructor(private readonly modules: ModuleRef) {}

  /** Without a listener a lost connection would end the process; the backend reconnects by itself. */
  onModuleInit(): void {
    for (const definition of jobDefinitions) {
      const { name: job } = definition;
      this.queueOf(definition).on('error', (err) => this.logger.warn('queue connection', { job, err }));
    }
  }

  async enqueue<Definition extends JobDefinition>(
    definition: Definition,
    payload: PayloadOf<Definition>,
    { delayMs = 0, id }: EnqueueOptions = {},
  ): Promise<void> {
    const { attempts, backoffMs } = definition.retry;
    await this.queueOf(definition).add(definition.name, payload, {
      delay: delayMs,
      attempts,
      backoff: { type: 'exponential', delay: backoffMs, jitter: 0.2 },
      removeOnComplete: KEEP_COMPLETED,
      removeOnFail: KEEP_FAILED,
      ...(id ? { deduplication: { id } } : {}),
    });
  }

  /** Upserts the schedule of a recurring job; many processes may do so. */
  async schedule(definition: JobDefinition, everyMs: number): Promise<void> {
    await this.queueOf(definition).upsertJobScheduler(
      definition.name,
      { every: everyMs },
      {
        name: definition.name,
        data: {},
        opts: { removeOnComplete: KEEP_COMPLETED, removeOnFail: KEEP_FAILED },
      },
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
        await this.schedule(definition, definition.everyMs);
      }
    }
  }

  private queueOf(definition: JobDefinition): Queue {
    return this.modules.get<Queue>(getQueueToken(definition.name), { strict: false });
  }
}
