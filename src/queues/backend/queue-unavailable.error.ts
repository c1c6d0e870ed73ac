import { UnavailableError } from '../../common/errors/errors.js';

/** The queue cannot be reached now. Its clients connect again by themselves; the log says so once a minute. */
export class QueueUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super({ cause });
  }
}
