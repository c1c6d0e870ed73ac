import { domainError, limitError } from '../../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { text } from '../../../i18n/catalogue.js';
import { ACCOUNT_EVENTS } from '../webhook-kinds.js';

export class WebhookSubscriptionNotFoundError extends domainError(
  'not-found',
  'webhooks.endpoint_not_found',
) {}

export class WebhookSubscriptionLimitError extends limitError('limit', 'webhooks.endpoint_limit') {}

/**
 * Refuses kinds of events that there are not, by their places in the list.
 *
 * @throws ValidationFailedError
 */
export function refuseUnknownEvents(
  events: readonly string[] | null | undefined,
  isKnown: (kind: string) => boolean,
): void {
  const issues = (events ?? []).flatMap((kind, index) => {
    const field = `events.${index}`;
    const values = ACCOUNT_EVENTS.join(', ');
    return isKnown(kind) ? [] : [{ field, text: text('validation.one_of', { field, values }) }];
  });
  ValidationFailedError.throwIfAny(issues);
}
