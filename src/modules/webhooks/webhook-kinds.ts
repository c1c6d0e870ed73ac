/** Kinds of events of the product itself; the customer's document names them. */
export const OWN_WEBHOOK_KINDS = ['post-call', 'inbound', 'conversation-ended', 'limit-reached'] as const;
export type OwnWebhookKind = (typeof OWN_WEBHOOK_KINDS)[number];

/** One that a module or a plugin adds: its name, a dot, and what happened, as `appointments.booked`. */
export type AddedWebhookKind = `${string}.${string}`;

export type WebhookKind = OwnWebhookKind | AddedWebhookKind;

/** Every kind there is. Filters and their documentation read this very list, so that it may grow before the first request. */
export const WEBHOOK_KINDS: WebhookKind[] = [...OWN_WEBHOOK_KINDS];
