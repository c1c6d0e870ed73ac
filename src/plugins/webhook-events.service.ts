import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/transactions.js';
import type { AddedWebhookKind } from '../modules/webhooks/webhook-kinds.js';
import { WebhooksService } from '../modules/webhooks/webhooks.service.js';

/** Something that a plugin tells a customer's server. */
export interface PluginWebhookEvent {
  readonly userId: number;
  /** One of `webhookEvents` of the plugin. */
  readonly kind: AddedWebhookKind;
  /** The assistant it is about; null for none. */
  readonly assistantId?: number | null;
  /** What it is about; with kind and occurrence it names the event, which is written once. */
  readonly subjectId: string;
  /** Tells several events of one kind and subject apart; 0 when left out. */
  readonly occurrence?: number;
  readonly url: string;
  /** Sent as JSON. */
  readonly payload: object;
}

/** Webhooks of plugins: signed, tried again and listed as the product's own are. */
@Injectable()
export class WebhookEventsService {
  constructor(private readonly webhooks: WebhooksService) {}

  /** Writes an event in the transaction that causes it. Call {@link wake} after the commit. */
  enqueue({ assistantId = null, ...event }: PluginWebhookEvent, tx: Tx): Promise<void> {
    return this.webhooks.enqueue({ ...event, assistantId }, tx);
  }

  /** Has committed events delivered now; without it the next sweep finds them within seconds. */
  wake(): void {
    this.webhooks.wake();
  }
}
