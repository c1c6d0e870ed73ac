import { DomainError } from '../../../common/errors/domain-error.js';
import { text } from '../../../i18n/catalogue.js';

export class LabelNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('labels.not_found'));
  }
}
