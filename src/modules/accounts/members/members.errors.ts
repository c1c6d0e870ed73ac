import { DomainError } from '../../../common/errors/domain-error.js';
import { text } from '../../../i18n/catalogue.js';

export class MemberNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('members.not_found'));
  }
}

export class InvitationNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('members.invitation_not_found'));
  }
}

export class MemberLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: number) {
    super(text('members.limit', { limit }));
  }
}
