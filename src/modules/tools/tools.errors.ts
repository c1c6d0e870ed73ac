import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class ToolNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('tools.not_found'));
  }
}

export class ToolLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: number) {
    super(text('tools.limit', { limit }));
  }
}

export class TooManyToolTestsError extends DomainError {
  readonly kind = 'too-many';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super(text('tools.too_many_tests'));
  }
}
