import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';
import { savedRepliesTexts } from './saved-replies.texts.js';

export class SavedReplyNotFoundError extends domainError(
  'not-found',
  savedRepliesTexts('saved_replies.not_found'),
) {}

export class SavedReplyLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: number) {
    super(text(savedRepliesTexts('saved_replies.limit'), { limit }));
  }
}
