import { DomainError, domainError, limitError } from '../../common/errors/domain-error.js';

export class PhoneNumberNotFoundError extends domainError('not-found', 'phone_numbers.not_found') {}

export class NumberInUseError extends domainError('refused', 'phone_numbers.in_use') {}

export class NumberNotForSaleError extends domainError('refused', 'phone_numbers.not_offered') {}

export class UnreadableNumberError extends domainError('invalid', 'phone_numbers.unreadable') {}

/** The carrier does not take the credentials that the account has brought. */
export class CarrierAccountDeniedError extends domainError('refused', 'carrier_accounts.refused') {}

/** The account has brought no credentials for a carrier, so that nothing proves which numbers are its own. */
export class NoCarrierAccountError extends domainError('refused', 'carrier_accounts.not_found') {}

/** The account at the carrier has no such number, or none that can be called. */
export class NumberNotAtCarrierError extends domainError('not-found', 'phone_numbers.not_at_carrier') {}

/** Its calls are handed to something else at the carrier, which only its owner can end. */
export class NumberBoundElsewhereError extends domainError('refused', 'phone_numbers.bound_elsewhere') {}

/** The price could not be set aside; says why in the words of the refusal. */
export class PaymentRequiredError extends DomainError {
  readonly kind = 'payment-required';

  constructor(refusal: DomainError) {
    super(refusal.text, { cause: refusal });
  }
}

export class SipTrunkNotFoundError extends domainError('not-found', 'sip_trunks.not_found') {}

export class SipTrunkLimitError extends limitError('limit', 'sip_trunks.limit') {}

export class SipTrunkExistsError extends domainError('conflict', 'sip_trunks.exists') {}
