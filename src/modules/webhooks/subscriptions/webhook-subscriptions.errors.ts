import { DomainError } from '../../../common/errors/domain-error.js';
import { text } from '../../../i18n/catalogue.js';

export class WebhookSubscriptionNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('webhooks.endpoint_not_found'));
  }
}

export class WebhookSubscriptionLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: number) {
    super(text('webhooks.endpoint_limit', { limit }));
  }
}
