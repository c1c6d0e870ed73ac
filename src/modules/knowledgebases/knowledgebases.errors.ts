import { DomainError, domainError, limitError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class KnowledgebaseNotFoundError extends domainError('not-found', 'knowledgebases.not_found') {}

/** The account has searched as often as it may in a day. */
export class SearchAllowanceError extends DomainError {
  readonly kind = 'too-many';

  constructor(
    max: number,
    override readonly retryAfterSeconds: number,
  ) {
    super(text('knowledgebases.daily_searches', { max }));
  }
}

export class KnowledgebaseLimitError extends limitError('limit', 'knowledgebases.limit') {}

export class DocumentLimitError extends limitError('limit', 'documents.limit') {}

export class DocumentNotFoundError extends domainError('not-found', 'documents.not_found') {}
