import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class CarrierAccountNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('carrier_accounts.not_found'));
  }
}

/** Numbers were rented with it, which could neither call nor be given back without it. */
export class CarrierAccountInUseError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('carrier_accounts.in_use'));
  }
}

/** The carrier could not call back: the installation has no public address. */
export class CarrierAccountsUnavailableError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('carrier_accounts.no_public_url'));
  }
}
