import { text } from '../../i18n/catalogue.js';
import { DomainError } from '../../common/errors/domain-error.js';

export class IdempotencyKeyInvalidError extends DomainError {
  readonly kind = 'invalid';

  constructor() {
    super(text('idempotency.invalid_key'));
  }
}

/** A stream of events cannot be sent a second time as it was. */
export class EventsNotRepeatableError extends DomainError {
  readonly kind = 'invalid';

  constructor() {
    super(text('idempotency.events'));
  }
}

/** The key came first with another query or body. */
export class IdempotencyKeyReusedError extends DomainError {
  readonly kind = 'invalid';

  constructor() {
    super(text('idempotency.reused'));
  }
}

/** The request that first used the key has not ended yet. */
export class RequestStillRunningError extends DomainError {
  readonly kind = 'conflict';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super(text('idempotency.still_running'));
  }
}

/** The request that first used the key ran, wholly or in part, but what it answered is not known. */
export class AnswerLostError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('idempotency.answer_lost'));
  }
}
