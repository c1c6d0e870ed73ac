import { domainError } from '../../common/errors/domain-error.js';
import { doNotCallTexts } from './do-not-call.texts.js';

export class DoNotCallEntryNotFoundError extends domainError(
  'not-found',
  doNotCallTexts('do_not_call.not_found'),
) {}
