import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class OriginNotAllowedError extends DomainError {
  readonly kind = 'forbidden';

  constructor() {
    super(text('visitors.origin_not_allowed'));
  }
}

export class ChallengeRequiredError extends DomainError {
  readonly kind = 'forbidden';

  constructor() {
    super(text('visitors.challenge_required'));
  }
}

export class ChallengeInvalidError extends DomainError {
  readonly kind = 'forbidden';

  constructor() {
    super(text('visitors.challenge_invalid'));
  }
}
