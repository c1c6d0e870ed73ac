import type { WebhookSettings } from '../../webhooks/webhooks.service.js';
import type { AssistantConfig } from './assistant-config.js';
import { alertUrlOf } from './visitor-policy.js';

type WebhookUrls = Pick<
  AssistantConfig,
  'webhook_url' | 'inbound_webhook_url' | 'conversation_ended_webhook_url'
>;

/**
 * What a change of an assistant means for its webhooks.
 *
 * @param sent the fields that the change has set
 */
export function webhookSettingsOf(config: AssistantConfig, sent: Partial<WebhookUrls>): WebhookSettings {
  const urls = {
    'post-call': config.is_webhook_active ? config.webhook_url : null,
    inbound: config.inbound_webhook_url,
    'conversation-ended': config.conversation_ended_webhook_url,
    'limit-reached': alertUrlOf(config),
  };
  const kinds = ['post-call', 'inbound', 'conversation-ended', 'limit-reached'] as const;
  const urlsSent = [sent.webhook_url, sent.inbound_webhook_url, sent.conversation_ended_webhook_url];
  return {
    off: kinds.filter((kind) => urls[kind] === null),
    urlsSet: urlsSent.filter((url) => typeof url === 'string'),
  };
}
