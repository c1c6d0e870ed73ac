import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Logger } from '../../../common/observability/logger.js';
import { Deadline } from '../../../common/time/deadline.js';
import { timeoutError } from '../../../common/time/timeout-signal.js';
import { JobsService } from '../../../queues/jobs.service.js';
import { UnrecoverableJobError } from '../../../queues/unrecoverable-job.error.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { PayloadOf } from '../../../queues/job-definition.js';
import { handlePluginEventJob } from './handle-plugin-event.job.js';
import { type ClaimedEvent, PluginEventsRepository } from './plugin-events.repository.js';
import {
  type HandlerContext,
  type HeardEvent,
  PLUGIN_LISTENERS,
  type PluginListener,
  type ProviderToken,
} from './plugin-listener.js';
import { enqueuePluginEventsJob } from './enqueue-plugin-events.job.js';
import { sweepPluginEventsJob } from './sweep-plugin-events.job.js';

/** Events that get a job in one sweep. The next sweep or commit enqueues more. */
const MAX_ENQUEUED = 200;
/** An event whose job is lost gets another one after this long. */
const LOST_JOB_MS = 60_000;
const HANDLER_MS = 60_000;
const MAX_ERROR_LENGTH = 500;
/** As long as the queue keeps failed jobs. */
const FAILED_KEPT_MS = 7 * 86_400_000;
const DELETE_BATCH = 1_000;

/** Runs the handlers of plugins for the events that wait for them. Only worker processes have it. */
@Injectable()
export class PluginEventsService {
  constructor(
    @Inject(PLUGIN_LISTENERS) private readonly listeners: readonly PluginListener[],
    private readonly events: PluginEventsRepository,
    private readonly jobs: JobsService,
    private readonly modules: ModuleRef,
    private readonly logger: Logger,
  ) {}

  /** Enqueues a job for each event that is due. An event with an unfinished job gets no second one. */
  @Handles(enqueuePluginEventsJob)
  async enqueueDue(): Promise<void> {
    const ids = await this.events.takeDue(this.listeners, MAX_ENQUEUED, LOST_JOB_MS);
    for (const id of ids) this.jobs.wake(handlePluginEventJob, { id }, { id });
  }

  /** @throws what the handler throws, so that the queue retries the job */
  @Handles(handlePluginEventJob)
  async handle({ id }: PayloadOf<typeof handlePluginEventJob>): Promise<void> {
    const event = await this.events.claim(id, this.listeners);
    if (!event) return;
    try {
      await this.run(event);
    } catch (error) {
      const isLast = await this.markFailed(id, event, error);
      throw isLast ? new UnrecoverableJobError(error) : error;
    }
    await this.events.delete(id);
  }

  @Handles(sweepPluginEventsJob)
  async deleteFailed(): Promise<void> {
    while ((await this.events.deleteFailed(FAILED_KEPT_MS, DELETE_BATCH)) === DELETE_BATCH);
  }

  private async run(event: ClaimedEvent): Promise<void> {
    const { plugin, kind, attempts } = event;
    const listener = this.listeners.find((each) => each.plugin === plugin && each.kind === kind);
    // Attempts that ended with their process were counted, but have left no error.
    if (attempts > handlePluginEventJob.retry.attempts)
      throw new Error('The process ended during each attempt.');
    const deadline = new Deadline(HANDLER_MS, undefined, timeoutError);
    const context: HandlerContext = {
      attempt: attempts,
      signal: deadline.signal,
      get: <T>(provider: ProviderToken<T>) => this.modules.get<unknown, T>(provider, { strict: false }),
    };
    try {
      await deadline.race(Promise.resolve(listener?.handle(heardEvent(event), context)));
    } finally {
      deadline.close();
    }
  }

  /** Returns whether no attempt is left. */
  private async markFailed(id: string, event: ClaimedEvent, error: unknown): Promise<boolean> {
    const { plugin, kind, eventId, userId, attempts } = event;
    const { retry } = handlePluginEventJob;
    const isLast = attempts >= retry.attempts;
    const fields = { plugin, kind, eventId, userId, attempt: attempts, err: error };
    if (isLast) this.logger.error('event handler of a plugin failed, no attempts left', fields);
    else this.logger.warn('event handler of a plugin failed', fields);
    const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
    // The queue waits for the back-off and at most a fifth more.
    const backoffMs = retry.backoffMs * 2 ** (attempts - 1);
    await this.events.markFailed(id, message, isLast ? null : backoffMs * 1.5 + LOST_JOB_MS);
    return isLast;
  }
}

function heardEvent({ eventId: id, userId, body }: ClaimedEvent): HeardEvent {
  const { type, timestamp, data } = JSON.parse(body) as Pick<HeardEvent, 'type' | 'timestamp' | 'data'>;
  return { id, type, userId, timestamp, data };
}
