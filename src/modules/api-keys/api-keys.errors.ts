import { domainError, limitError } from '../../common/errors/domain-error.js';

export class ApiKeyNotFoundError extends domainError('not-found', 'api_keys.not_found') {}

export class ApiKeyLimitError extends limitError('limit', 'api_keys.limit') {}
