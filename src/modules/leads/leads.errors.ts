import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { text, type TextKey } from '../../i18n/catalogue.js';
import type { WorkbookLimits } from './imports/xlsx/workbook-limits.js';
import type { WorkbookFailure } from './imports/xlsx/workbook-reply.js';

export class LeadNotFoundError extends domainError('not-found', 'leads.not_found') {}

export class LeadCampaignNotFoundError extends domainError('not-found', 'leads.campaign_not_found') {}

/** A number that cannot be dialled, on update, where the contract has no field for it. */
export class InvalidPhoneNumberError extends domainError('invalid', 'leads.phone_invalid') {}

/** Fields that may not be updated, in the order they were sent. */
export class UnknownLeadFieldsError extends DomainError {
  readonly kind = 'invalid';

  constructor(fields: readonly string[]) {
    super(text('leads.unknown_fields', { fields: fields.join(', ') }));
  }
}

export class DuplicateLeadError extends domainError('invalid', 'leads.duplicate') {}

export class LeadBeingCalledError extends DomainError {
  readonly kind = 'conflict';

  constructor(refused: 'delete' | 'move') {
    super(text(refused === 'delete' ? 'leads.calling' : 'leads.calling_move'));
  }
}

export class LeadImportNotFoundError extends domainError('not-found', 'leads.import_not_found') {}

export class LeadFileMediaError extends domainError('unsupported-media', 'leads.import_media') {}

export class LeadFileFormError extends domainError('malformed', 'leads.import_form') {}

export class LeadFileTooLargeError extends DomainError {
  readonly kind = 'too-large';

  constructor(limitBytes: number) {
    super(text('leads.import_too_large', { megabytes: Math.floor(limitBytes / 1_048_576) }));
  }
}

/** The client went away in the middle of the file. */
export class LeadFileAbortedError extends domainError('malformed', 'leads.import_aborted') {}

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

/** An import that refused nothing, or whose refused rows are not kept any more. */
export class LeadRefusalsNotFoundError extends domainError('not-found', 'leads.refusals_not_found') {}

/** A workbook before 2007, or one with a password. */
export class OldWorkbookError extends ValidationFailedError {
  constructor() {
    super([{ field: 'file', text: text('leads.import_old_workbook', { field: 'file' }) }]);
  }
}

const WORKBOOK_TEXTS: Readonly<Record<WorkbookFailure, TextKey>> = {
  unreadable: 'leads.import_workbook_unreadable',
  hostile: 'leads.import_workbook_unreadable',
  encrypted: 'leads.import_old_workbook',
  rows: 'leads.import_workbook_rows',
  'too-slow': 'leads.import_workbook_large',
  'too-large': 'leads.import_workbook_large',
};

/** A workbook that cannot be read, or has more in it than is read. */
export class LeadWorkbookError extends ValidationFailedError {
  constructor(failure: WorkbookFailure, { rows, unpackedBytes }: WorkbookLimits, cause: Error) {
    const params = { field: 'file', rows, megabytes: Math.floor(unpackedBytes / 1_048_576) };
    super([{ field: 'file', text: text(WORKBOOK_TEXTS[failure], params) }]);
    this.cause = cause;
  }
}
