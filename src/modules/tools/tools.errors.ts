import { domainError, limitError } from '../../common/errors/domain-error.js';

export class ToolNotFoundError extends domainError('not-found', 'tools.not_found') {}

export class ToolLimitError extends limitError('limit', 'tools.limit') {}

export class TooManyToolTestsError extends domainError('too-many', 'tools.too_many_tests') {
  override readonly retryAfterSeconds = 5;
}
