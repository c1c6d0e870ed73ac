import { DomainError, domainError } from '../../../common/errors/domain-error.js';
import { text } from '../../../i18n/catalogue.js';

export class TooManyCallNotesError extends DomainError {
  readonly kind = 'conflict';

  constructor(limit: number) {
    super(text('call_notes.too_many', { limit }));
  }
}

export class CallNoteNotFoundError extends domainError('not-found', 'call_notes.not_found') {}
