import { DomainError, domainError } from '../../common/errors/domain-error.js';
import type { ModelErrorCode } from '../../providers/llm/model-error.js';
import { text, type TextKey } from '../../i18n/catalogue.js';

export class ConversationNotFoundError extends domainError('not-found', 'conversations.not_found') {}

export class ConversationAssistantNotFoundError extends domainError(
  'not-found',
  'conversations.assistant_not_found',
) {}

export class ConversationEndedError extends domainError('refused', 'conversations.ended') {}

/** The test conversations of the account have used up what they may in a day. */
export class TestAllowanceError extends DomainError {
  readonly kind = 'too-many';

  constructor(
    resource: 'messages' | 'tokens',
    max: number,
    override readonly retryAfterSeconds: number,
  ) {
    const key = resource === 'messages' ? 'conversations.test_messages' : 'conversations.test_tokens';
    super(text(key, { max }));
  }
}

/** The turn failed; nothing was charged. Details come from a fixed list, never from the provider. */
export class ProcessingFailedError extends DomainError {
  readonly kind = 'refused';

  constructor(details: TurnFailure, options?: ErrorOptions) {
    super(text(TEXT_OF[details]), options);
  }
}

export type TurnFailure = ModelErrorCode | 'no-model' | 'lost' | 'internal';

const TEXT_OF: Readonly<Record<TurnFailure, TextKey>> = {
  timeout: 'conversations.failed_timeout',
  'rate-limited': 'conversations.failed_rate_limited',
  unavailable: 'conversations.failed_unavailable',
  unauthorized: 'conversations.failed_unauthorized',
  rejected: 'conversations.failed_rejected',
  truncated: 'conversations.failed_incomplete',
  malformed: 'conversations.failed_incomplete',
  aborted: 'conversations.failed_timeout',
  'no-model': 'conversations.failed_no_model',
  lost: 'conversations.failed_lost',
  internal: 'conversations.failed_internal',
};
