import { DomainError, domainError } from '../../../common/errors/domain-error.js';
import { text } from '../../../i18n/catalogue.js';

export class MemberNotFoundError extends domainError('not-found', 'members.not_found') {}

export class InvitationNotFoundError extends domainError('not-found', 'members.invitation_not_found') {}

export class MemberLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: number) {
    super(text('members.limit', { limit }));
  }
}
