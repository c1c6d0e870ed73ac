import { domainError } from '../../common/errors/domain-error.js';

export class AccountExportNotFoundError extends domainError('not-found', 'account_data.export_not_found') {}

/** It is being made still, or has failed. */
export class AccountExportNotReadyError extends domainError('conflict', 'account_data.export_not_ready') {}
