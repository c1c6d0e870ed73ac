import { DomainError } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { text } from '../../i18n/catalogue.js';

export class LeadNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('leads.not_found'));
  }
}

export class LeadCampaignNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('leads.campaign_not_found'));
  }
}

/** A number that cannot be dialled, on update, where the contract has no field for it. */
export class InvalidPhoneNumberError extends DomainError {
  readonly kind = 'invalid';

  constructor() {
    super(text('leads.phone_invalid'));
  }
}

/** Fields that may not be updated, in the order they were sent. */
export class UnknownLeadFieldsError extends DomainError {
  readonly kind = 'invalid';

  constructor(fields: readonly string[]) {
    super(text('leads.unknown_fields', { fields: fields.join(', ') }));
  }
}

export class DuplicateLeadError extends DomainError {
  readonly kind = 'invalid';

  constructor() {
    super(text('leads.duplicate'));
  }
}

export class LeadBeingCalledError extends DomainError {
  readonly kind = 'conflict';

  constructor(refused: 'delete' | 'move') {
    super(text(refused === 'delete' ? 'leads.calling' : 'leads.calling_move'));
  }
}

export class LeadImportNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('leads.import_not_found'));
  }
}

export class LeadFileMediaError extends DomainError {
  readonly kind = 'unsupported-media';

  constructor() {
    super(text('leads.import_media'));
  }
}

export class LeadFileFormError extends DomainError {
  readonly kind = 'malformed';

  constructor(options?: ErrorOptions) {
    super(text('leads.import_form'), options);
  }
}

export class LeadFileTooLargeError extends DomainError {
  readonly kind = 'too-large';

  constructor(limitBytes: number) {
    super(text('leads.import_too_large', { megabytes: Math.floor(limitBytes / 1_048_576) }));
  }
}

/** The client went away in the middle of the file. */
export class LeadFileAbortedError extends DomainError {
  readonly kind = 'malformed';

  constructor(options?: ErrorOptions) {
    super(text('leads.import_aborted'), options);
  }
}

/** More files at once than an account may have read. */
export class TooManyImportsError extends DomainError {
  readonly kind = 'too-many';
  override readonly retryAfterSeconds = 10;

  constructor(max: number) {
    super(text('leads.import_too_many', { max }));
  }
}

/** A file of which row after row is wrong. What was imported before stays. */
export class NonsenseFileError extends ValidationFailedError {
  constructor(stop: { readonly line: number; readonly rows: number; readonly imported: number }) {
    super([{ field: 'file', text: text('leads.import_stopped', { field: 'file', ...stop }) }]);
  }
}
