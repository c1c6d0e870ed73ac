import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

/** The assistant's owner lets visitors write, and not call. */
export class VisitorCallsNotAllowedError extends DomainError {
  readonly kind = 'forbidden';

  constructor() {
    super(text('web_calls.not_allowed'));
  }
}

/** The voice process is being loaded. */
export class VoiceStartingError extends DomainError {
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = 2;

  constructor() {
    super(text('web_calls.starting'));
  }
}

/** There is no voice process now, and this installation has one otherwise. */
export class NoVoiceProcessError extends DomainError {
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = 10;

  constructor() {
    super(text('web_calls.no_process'));
  }
}

/** This installation has no voice role: to ask again is of no use. */
export class WebCallsUnavailableError extends DomainError {
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = null;

  constructor() {
    super(text('web_calls.unavailable'));
  }
}

/** There is no assistant of that uuid. */
export class WebCallAssistantNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('conversations.assistant_not_found'));
  }
}
