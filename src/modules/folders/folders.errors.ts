import { domainError } from '../../common/errors/domain-error.js';

export class FolderNotFoundError extends domainError('not-found', 'folders.not_found') {}
