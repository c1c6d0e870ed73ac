import { domainError, limitError } from '../../../common/errors/domain-error.js';

export class MemberNotFoundError extends domainError('not-found', 'members.not_found') {}

export class InvitationNotFoundError extends domainError('not-found', 'members.invitation_not_found') {}

export class MemberLimitError extends limitError('limit', 'members.limit') {}
