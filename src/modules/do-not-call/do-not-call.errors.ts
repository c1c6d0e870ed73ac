import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class DoNotCallEntryNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('do_not_call.not_found'));
  }
}
