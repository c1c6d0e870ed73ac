/** Kinds of events that an assistant's settings ask for; the customer's document names them. */
const ASSISTANT_KINDS = ['post-call', 'inbound', 'conversation-ended', 'limit-reached'] as const;

/** The product's own kinds that webhook endpoints of an account can ask for. */
export const OWN_ACCOUNT_EVENTS = [
  'call.started',
  'call.status-changed',
  'call.ended',
  'conversation.message-created',
  'campaign.completed',
  'limit.reached',
] as const;
export type OwnAccountEvent = (typeof OWN_ACCOUNT_EVENTS)[number];

/** Sent when its owner tries a webhook endpoint out. */
export const TEST_KIND = 'webhook.test';

/** Kinds of events of the product itself. */
export const OWN_WEBHOOK_KINDS = [...ASSISTANT_KINDS, ...OWN_ACCOUNT_EVENTS, TEST_KIND] as const;
export type OwnWebhookKind = (typeof OWN_WEBHOOK_KINDS)[number];

/** One that a module or a plugin adds: its name, a dot, and what happened, as `appointments.booked`. */
export type AddedWebhookKind = `${string}.${string}`;

/** What webhook endpoints of an account can ask for. */
export type AccountEvent = OwnAccountEvent | AddedWebhookKind;

export type WebhookKind = OwnWebhookKind | AddedWebhookKind;

/** Every kind there is. Filters and their documentation read this very list, so that it may grow before the first request. */
export const WEBHOOK_KINDS: WebhookKind[] = [...OWN_WEBHOOK_KINDS];

/** The same for what webhook endpoints of an account can ask for. */
export const ACCOUNT_EVENTS: AccountEvent[] = [...OWN_ACCOUNT_EVENTS];

/** Letters of the longest kind. */
export const MAX_KIND = 81;

export function isAccountEvent(kind: string): kind is AccountEvent {
  return ACCOUNT_EVENTS.some((known) => known === kind);
}
