import { domainError, limitError } from '../../../common/errors/domain-error.js';

export class TooManyCallNotesError extends limitError('conflict', 'call_notes.too_many') {}

export class CallNoteNotFoundError extends domainError('not-found', 'call_notes.not_found') {}
