import { text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams } from '../../i18n/text.js';
import { DomainError, domainError, type FieldIssue } from './domain-error.js';

/** The request's fields break a rule. */
export class ValidationFailedError extends DomainError {
  readonly kind = 'invalid';

  constructor(issues: readonly [FieldIssue, ...FieldIssue[]]) {
    super(issues[0].text, { issues });
  }

  /** One wrong field. */
  static of(field: string, key: TextKey, params: TextParams = {}): ValidationFailedError {
    return new ValidationFailedError([{ field, text: text(key, { field, ...params }) }]);
  }

  /** Throws when there is any issue, all of them at once. */
  static throwIfAny(issues: readonly FieldIssue[]): void {
    const [first, ...rest] = issues;
    if (first) throw new ValidationFailedError([first, ...rest]);
  }
}

/** The body is valid JSON, but no object. */
export class MalformedBodyError extends domainError('malformed', 'http.body_not_object') {}

/** No token, a wrong one, or one that has ended. */
export class UnauthorizedError extends domainError('unauthorized', 'http.unauthorized') {}

/** The caller is known, and may not do this. */
export class MissingScopeError extends DomainError {
  readonly kind = 'forbidden';

  constructor(scope: string) {
    super(text('http.missing_scope', { scope }));
  }
}

/** A key was used from a page it is not meant for. */
export class KeyOriginError extends domainError('forbidden', 'http.key_origin') {}

/** A session's cookie came from a page of another origin. */
export class ForeignOriginError extends domainError('forbidden', 'http.foreign_origin') {}

export class UnsupportedMediaError extends domainError('unsupported-media', 'http.unsupported_media_type') {}

export class NotAcceptableError extends domainError('not-acceptable', 'http.not_acceptable') {}

/** The route answers with events alone. */
export class EventsOnlyError extends domainError('not-acceptable', 'http.events_only') {}

export class TooManyRequestsError extends DomainError {
  readonly kind = 'too-many';

  constructor(override readonly retryAfterSeconds: number) {
    super(text('http.too_many_requests', { seconds: retryAfterSeconds }));
  }
}

/** When to try again after a refusal that ends as soon as something else does. */
const SOON_SECONDS = 5;

export class TooManyStreamsError extends domainError('too-many', 'http.too_many_streams') {
  override readonly retryAfterSeconds = SOON_SECONDS;
}

export class UnavailableError extends domainError('unavailable', 'http.unavailable') {}

/** The operator has paused the installation, which then does not act outside. */
export class InstallationPausedError extends domainError('unavailable', 'http.paused') {}
