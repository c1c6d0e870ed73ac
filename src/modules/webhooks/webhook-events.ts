import type { Type } from '@nestjs/common';
import { ACCOUNT_EVENTS, type AddedWebhookKind, WEBHOOK_KINDS } from './webhook-kinds.js';

/** A kind of event that a module or a plugin tells customers' servers of. */
export interface WebhookEventDefinition {
  readonly kind: AddedWebhookKind;
  /** Class of the payload, described by `@ApiProperty`; for a published event it describes `data`. */
  readonly payload: Type;
  /** When it is sent, for the documentation, as `When an appointment is booked`. */
  readonly when: string;
  /**
   * Whether it is published: sent to the webhook endpoints of the account that want it. Otherwise it goes to the one URL
   * that each event names.
   */
  readonly published?: boolean;
}

const KIND = /^[a-z0-9-]{1,40}\.[a-z0-9-]{1,40}$/;
const added: WebhookEventDefinition[] = [];

/** Events in addition to the product's own ones. */
export const addedWebhookEvents: readonly WebhookEventDefinition[] = added;

/** Adds a kind of event, before the application is built. @throws Error for a name that is wrong, or there already */
export function addWebhookEvent(event: WebhookEventDefinition): void {
  if (!KIND.test(event.kind)) throw new Error(`the webhook event ${event.kind} is not named as name.event`);
  if (WEBHOOK_KINDS.includes(event.kind)) throw new Error(`the webhook event ${event.kind} is there already`);
  WEBHOOK_KINDS.push(event.kind);
  if (event.published === true) ACCOUNT_EVENTS.push(event.kind);
  added.push(event);
}

export function isPublishedEvent(kind: string): boolean {
  return added.some((event) => event.kind === kind && event.published === true);
}
