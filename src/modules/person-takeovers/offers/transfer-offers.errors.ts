import { domainError } from '../../../common/errors/domain-error.js';

/** There is none, or it is not for the caller. */
export class OfferNotFoundError extends domainError('not-found', 'transfer_offers.not_found') {}

/** Another person has accepted it. */
export class OfferTakenError extends domainError('conflict', 'transfer_offers.taken') {}

/** The time to answer, or the call, is over. */
export class OfferGoneError extends domainError('conflict', 'transfer_offers.gone') {}
