import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class ErasureNotFoundError extends domainError('not-found', 'privacy.erasure_not_found') {}

/** A number that the account calls from, and that is no customer's. */
export class OwnNumberError extends domainError('conflict', 'privacy.own_number') {}

/** More exports at once than an account may have. */
export class TooManyExportsError extends DomainError {
  readonly kind = 'too-many';
  override readonly retryAfterSeconds = 10;

  constructor(max: number) {
    super(text('privacy.too_many_exports', { max }));
  }
}
