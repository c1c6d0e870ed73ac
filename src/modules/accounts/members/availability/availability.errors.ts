import { DomainError } from '#src/common/errors/domain-error.js';
import { text } from '#src/i18n/catalogue.js';

/** The caller is an API key. */
export class PersonRequiredError extends DomainError {
  readonly kind = 'forbidden';

  constructor() {
    super(text('members.person_required'));
  }
}
