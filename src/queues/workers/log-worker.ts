import { Logger } from '@nestjs/common';
import type { Job, Worker } from 'bullmq';
import { QueueUnavailableError } from '../backend/queue-unavailable.error.js';

/** Logs failed jobs and lost connections of a worker. Without a listener a lost connection would end the process. */
export function logWorker(worker: Pick<Worker, 'on'>, queue: string): void {
  const logger = new Logger('Worker');
  worker.on('failed', (job: Job | undefined, error: Error) => {
    logger.error('job failed', { job: job?.name, attempt: job?.attemptsMade, err: error });
  });
  worker.on('error', (error: Error) => {
    logger.warn('queue connection', { queue, err: new QueueUnavailableError(error) });
  });
}
