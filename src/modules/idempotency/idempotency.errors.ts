import { domainError } from '../../common/errors/domain-error.js';

export class IdempotencyKeyInvalidError extends domainError('invalid', 'idempotency.invalid_key') {}

/** A stream of events cannot be sent a second time as it was. */
export class EventsNotRepeatableError extends domainError('invalid', 'idempotency.events') {}

/** The key came first with another query or body. */
export class IdempotencyKeyReusedError extends domainError('invalid', 'idempotency.reused') {}

/** The request that first used the key has not ended yet. */
export class RequestStillRunningError extends domainError('conflict', 'idempotency.still_running') {
  override readonly retryAfterSeconds = 1;
}

/** The request that first used the key ran, wholly or in part, but what it answered is not known. */
export class AnswerLostError extends domainError('conflict', 'idempotency.answer_lost') {}
