import { domainError } from '../../common/errors/domain-error.js';

export class WebhookDeliveryNotFoundError extends domainError('not-found', 'webhooks.not_found') {}
