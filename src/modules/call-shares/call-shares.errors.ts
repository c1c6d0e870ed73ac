import { domainError, limitError } from '../../common/errors/domain-error.js';

/** The account has not switched on links to calls. */
export class CallSharingOffError extends domainError('conflict', 'call_shares.off') {}

/** A call is shared when it is over. */
export class SharedCallRunningError extends domainError('conflict', 'call_shares.running') {}

export class TooManyCallSharesError extends limitError('conflict', 'call_shares.too_many') {}

export class CallShareNotFoundError extends domainError('not-found', 'call_shares.not_found') {}

/** The link is unknown, revoked or expired, or its call is gone. Readers of the link do not learn which. */
export class SharedCallNotFoundError extends domainError('not-found', 'call_shares.no_call') {}
