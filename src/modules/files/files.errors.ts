import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

/** A worker would look for the file in another folder than the one it would be stored in. */
export class FilesNotSharedError extends DomainError {
  readonly kind = 'unavailable';

  constructor() {
    super(text('files.not_shared'));
  }
}
