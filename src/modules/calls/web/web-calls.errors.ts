import { DomainError } from '../../../common/errors/domain-error.js';
import { text } from '../../../i18n/catalogue.js';

/** Visitors have as many calls with the assistant at once as they may. */
export class VisitorCallsLimitError extends DomainError {
  readonly kind = 'too-many';
  override readonly retryAfterSeconds = 30;

  constructor() {
    super(text('web_calls.too_many'));
  }
}

/** The assistant's owner lets visitors write, and not call. */
export class VisitorCallsNotAllowedError extends DomainError {
  readonly kind = 'forbidden';

  constructor() {
    super(text('web_calls.not_allowed'));
  }
}

/** No process of this installation takes calls from browsers. */
export class WebCallsUnavailableError extends DomainError {
  readonly kind = 'unavailable';

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
