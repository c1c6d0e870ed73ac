import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class ToolNotFoundError extends domainError('not-found', 'tools.not_found') {}

export class ToolLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: number) {
    super(text('tools.limit', { limit }));
  }
}

export class TooManyToolTestsError extends domainError('too-many', 'tools.too_many_tests') {
  override readonly retryAfterSeconds = 5;
}
