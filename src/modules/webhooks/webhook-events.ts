import type { Type } from '@nestjs/common';
import type { AddedWebhookKind } from './webhook-kinds.js';
import { WEBHOOK_KINDS } from './webhook-kinds.js';

/** A kind of event that a module or a plugin tells customers' servers of. */
export interface WebhookEventDefinition {
  readonly kind: AddedWebhookKind;
  /** Class of the payload, described by `@ApiProperty`. */
  readonly payload: Type;
  /** When it is sent, for the documentation, as `When an appointment is booked`. */
  readonly when: string;
}

const KIND = /^[a-z0-9-]{1,40}\.[a-z0-9-]{1,40}$/;
const added: WebhookEventDefinition[] = [];

/** Events beside the product's own ones. */
export const addedWebhookEvents: readonly WebhookEventDefinition[] = added;

/** Adds a kind of event, before the application is built. @throws Error for a name that is wrong, or there already */
export function addWebhookEvent(event: WebhookEventDefinition): void {
  if (!KIND.test(event.kind)) throw new Error(`the webhook event ${event.kind} is not named as name.event`);
  if (WEBHOOK_KINDS.includes(event.kind)) throw new Error(`the webhook event ${event.kind} is there already`);
  WEBHOOK_KINDS.push(event.kind);
  added.push(event);
}
