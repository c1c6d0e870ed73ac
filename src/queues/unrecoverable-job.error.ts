import { UnrecoverableError } from 'bullmq';

/** Fails a job for good: the queue does not retry it, even if attempts are left. */
export class UnrecoverableJobError extends UnrecoverableError {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.cause = cause;
  }
}
