import { DomainError } from '../../../common/errors/domain-error.js';
import { text } from '../../../i18n/catalogue.js';

/** There is none, or it is not for the caller. */
export class OfferNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('transfer_offers.not_found'));
  }
}

/** Another person has accepted it. */
export class OfferTakenError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('transfer_offers.taken'));
  }
}

/** The time to answer, or the call, is over. */
export class OfferGoneError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('transfer_offers.gone'));
  }
}
