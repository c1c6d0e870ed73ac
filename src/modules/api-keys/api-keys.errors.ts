import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class ApiKeyNotFoundError extends domainError('not-found', 'api_keys.not_found') {}

export class ApiKeyLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: number) {
    super(text('api_keys.limit', { limit }));
  }
}
