import { domainError, limitError } from '../../../common/errors/domain-error.js';

export class MemberNotFoundError extends domainError('not-found', 'members.not_found') {}

export class InvitationNotFoundError extends domainError('not-found', 'members.invitation_not_found') {}

/** People become members through the identity provider alone. */
export class InvitationsOffError extends domainError('forbidden', 'auth.password_sign_in_off') {}

export class MemberLimitError extends limitError('limit', 'members.limit') {}
