import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class EmailTakenError extends DomainError {
  readonly kind = 'invalid';

  constructor() {
    super(text('auth.email_taken'), { issues: [{ field: 'email', text: text('auth.email_taken') }] });
  }
}
