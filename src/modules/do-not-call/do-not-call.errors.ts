import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';
import { doNotCallTexts } from './do-not-call.texts.js';

export class DoNotCallEntryNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text(doNotCallTexts('do_not_call.not_found')));
  }
}
