import { domainError, limitError } from '../../common/errors/domain-error.js';
import { savedRepliesTexts } from './saved-replies.texts.js';

export class SavedReplyNotFoundError extends domainError(
  'not-found',
  savedRepliesTexts('saved_replies.not_found'),
) {}

export class SavedReplyLimitError extends limitError('limit', savedRepliesTexts('saved_replies.limit')) {}
