import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class AccountExportNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('account_data.export_not_found'));
  }
}

/** It is being made still, or has failed. */
export class AccountExportNotReadyError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('account_data.export_not_ready'));
  }
}
