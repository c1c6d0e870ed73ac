import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class PhoneNumberNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('phone_numbers.not_found'));
  }
}

export class NumberInUseError extends DomainError {
  readonly kind = 'refused';

  constructor() {
    super(text('phone_numbers.in_use'));
  }
}

export class NumberNotForSaleError extends DomainError {
  readonly kind = 'refused';

  constructor(options?: ErrorOptions) {
    super(text('phone_numbers.not_offered'), options);
  }
}

export class UnreadableNumberError extends DomainError {
  readonly kind = 'invalid';

  constructor() {
    super(text('phone_numbers.unreadable'));
  }
}

/** The carrier does not take the credentials that the account has brought. */
export class CarrierAccountDeniedError extends DomainError {
  readonly kind = 'refused';

  constructor(options?: ErrorOptions) {
    super(text('carrier_accounts.refused'), options);
  }
}

/** The account has brought no credentials for a carrier, so that nothing proves which numbers are its own. */
export class NoCarrierAccountError extends DomainError {
  readonly kind = 'refused';

  constructor() {
    super(text('carrier_accounts.not_found'));
  }
}

/** The account at the carrier has no such number, or none that can be called. */
export class NumberNotAtCarrierError extends DomainError {
  readonly kind = 'not-found';

  constructor(options?: ErrorOptions) {
    super(text('phone_numbers.not_at_carrier'), options);
  }
}

/** Its calls are handed to something else at the carrier, which only its owner can end. */
export class NumberBoundElsewhereError extends DomainError {
  readonly kind = 'refused';

  constructor() {
    super(text('phone_numbers.bound_elsewhere'));
  }
}

/** The price could not be set aside; says why in the words of the refusal. */
export class PaymentRequiredError extends DomainError {
  readonly kind = 'payment-required';

  constructor(refusal: DomainError) {
    super(refusal.text, { cause: refusal });
  }
}

export class SipTrunkNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('sip_trunks.not_found'));
  }
}

export class SipTrunkLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: number) {
    super(text('sip_trunks.limit', { limit }));
  }
}

export class SipTrunkExistsError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('sip_trunks.exists'));
  }
}
