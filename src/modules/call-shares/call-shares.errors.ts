import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

/** The account has not switched on links to calls. */
export class CallSharingOffError extends domainError('conflict', 'call_shares.off') {}

/** A call is shared when it is over. */
export class SharedCallRunningError extends domainError('conflict', 'call_shares.running') {}

export class TooManyCallSharesError extends DomainError {
  readonly kind = 'conflict';

  constructor(limit: number) {
    super(text('call_shares.too_many', { limit }));
  }
}

export class CallShareNotFoundError extends domainError('not-found', 'call_shares.not_found') {}

/** The link is unknown, revoked or expired, or its call is gone. Readers of the link do not learn which. */
export class SharedCallNotFoundError extends domainError('not-found', 'call_shares.no_call') {}
