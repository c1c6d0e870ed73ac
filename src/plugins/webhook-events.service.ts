import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/transactions.js';
import { isPublishedEvent } from '../modules/webhooks/webhook-events.js';
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

/** Something that a plugin tells all webhook endpoints of an account that want to know. */
export interface PublishedPluginEvent {
  readonly userId: number;
  /** One of `webhookEvents` of the plugin, with `published: true`. */
  readonly kind: AddedWebhookKind;
  /** What it is about, as the id of a row; people filter and find deliveries by it. */
  readonly subjectId: string;
  /** Sent as JSON, under `data`; {@link MAX_PAYLOAD_BYTES} at most. */
  readonly payload: object;
}

/** Every try of a delivery is sent whole, and the body is kept for as long as deliveries are. */
const MAX_PAYLOAD_BYTES = 64 * 1024;

/** Webhooks of plugins: signed, tried again and listed as the product's own are. */
@Injectable()
export class WebhookEventsService {
  constructor(private readonly webhooks: WebhooksService) {}

  /** Writes an event in the transaction that causes it. Call {@link wake} after the commit. */
  enqueue({ assistantId = null, ...event }: PluginWebhookEvent, tx: Tx): Promise<void> {
    return this.webhooks.enqueue({ ...event, assistantId }, tx);
  }

  /**
   * Writes an event for each webhook endpoint of the account that wants it, in the transaction that causes it. Several of one
   * kind and subject are several events. Call {@link wake} after the commit.
   *
   * @returns whether any endpoint wants it
   * @throws Error for a kind that no plugin publishes, and for a payload of more than 64 KiB of JSON
   */
  async publish({ userId, kind, subjectId, payload }: PublishedPluginEvent, tx: Tx): Promise<boolean> {
    if (!isPublishedEvent(kind)) {
      throw new Error(
        `No plugin publishes the webhook event ${kind}: name it in webhookEvents of definePlugin, with published: true.`,
      );
    }
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    if (bytes > MAX_PAYLOAD_BYTES) {
      throw new Error(
        `The payload of the webhook event ${kind} has ${bytes} bytes; ${MAX_PAYLOAD_BYTES} are allowed. Send an id by which the receiver reads the rest.`,
      );
    }
    return this.webhooks.publish({ userId, kind, subjectId, data: payload }, tx);
  }

  /** Has committed events delivered now; without it the next sweep finds them within seconds. */
  wake(): void {
    this.webhooks.wake();
  }
}
