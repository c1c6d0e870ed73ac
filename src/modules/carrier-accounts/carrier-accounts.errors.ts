import { domainError } from '../../common/errors/domain-error.js';

export class CarrierAccountNotFoundError extends domainError('not-found', 'carrier_accounts.not_found') {}

/** Numbers were rented with it, which could neither call nor be given back without it. */
export class CarrierAccountInUseError extends domainError('conflict', 'carrier_accounts.in_use') {}

/** The carrier could not call back: the installation has no public address. */
export class CarrierAccountsUnavailableError extends domainError(
  'conflict',
  'carrier_accounts.no_public_url',
) {}
