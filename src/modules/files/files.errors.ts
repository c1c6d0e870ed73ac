import { domainError } from '../../common/errors/domain-error.js';

/** A worker would look for the file in another folder than the one it would be stored in. */
export class FilesNotSharedError extends domainError('unavailable', 'files.not_shared') {}
