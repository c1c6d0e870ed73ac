import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

/** The account has not switched on links to calls. */
export class CallSharingOffError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('call_shares.off'));
  }
}

/** A call is shared when it is over. */
export class SharedCallRunningError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('call_shares.running'));
  }
}

export class TooManyCallSharesError extends DomainError {
  readonly kind = 'conflict';

  constructor(limit: number) {
    super(text('call_shares.too_many', { limit }));
  }
}

export class CallShareNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('call_shares.not_found'));
  }
}

/** The link is unknown, revoked or expired, or its call is gone. Readers of the link do not learn which. */
export class SharedCallNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('call_shares.no_call'));
  }
}
