import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Logger } from '../../common/observability/logger.js';
import { WebhooksConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { deliverWebhooksJob } from './delivery/deliver-webhooks.job.js';
import { enqueuePluginEventsJob } from './plugin-events/enqueue-plugin-events.job.js';
import { PLUGIN_LISTENERS, type PluginListener } from './plugin-events/plugin-listener.js';
import { JobsService } from '../../queues/jobs.service.js';
import type { WebhookAttempt } from './delivery/webhook-attempt.entity.js';
import { WEBHOOK_KINDS, type WebhookKind } from './webhook-kinds.js';
import { WebhookDeliveryNotFoundError } from './webhooks.errors.js';
import {
  type DeliveryFilter,
  type DeliveryRow,
  type LastResponse,
  type SubscribedEvent,
  WebhooksRepository,
} from './webhooks.repository.js';

/** Something a customer's server wants to know. */
export interface WebhookEvent {
  readonly userId: number;
  readonly kind: WebhookKind;
  /** The assistant whose settings name the URL. */
  readonly assistantId: number | null;
  /** Id of the call or conversation; with kind and occurrence it names the event. */
  readonly subjectId: string;
  /** Tells several events of one kind and subject apart; 0 when there can be only one. */
  readonly occurrence?: number;
  readonly url: string;
  /** Sent as JSON. */
  readonly payload: object;
}

/** An assistant's settings after a change. */
export interface WebhookSettings {
  /** Kinds of events that are no longer wanted. */
  readonly off: readonly WebhookKind[];
  /** URLs that were set by the change, also when they were set before. */
  readonly urlsSet: readonly string[];
}

/** What a receiver answered last about a call. */
export type WebhookResponse = LastResponse;

export interface RemovedDeliveries {
  readonly count: number;
  readonly callResponses: readonly { readonly userId: number; readonly response: WebhookResponse }[];
}

export interface DeliveryDetails extends DeliveryRow {
  readonly body: string;
  readonly attempts: readonly WebhookAttempt[];
}

const CALL_KINDS: readonly WebhookKind[] = ['post-call', 'inbound'];

/** Each is a statement of its own, because a million deliveries would take longer than a statement may. */
const DETACH_BATCH = 5_000;

/** For how long a process takes it that an account has a subscription, or none. */
const SUBSCRIBED_MS = 10_000;
const KNOWN_ACCOUNTS = 10_000;

@Injectable()
export class WebhooksService {
  private readonly subscribed = new LRUCache<number, boolean>({
    max: KNOWN_ACCOUNTS,
    ttl: SUBSCRIBED_MS,
    fetchMethod: (userId) => this.webhooks.hasSubscription(userId),
  });

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly transactions: Transactions,
    private readonly jobs: JobsService,
    private readonly config: WebhooksConfig,
    private readonly logger: Logger,
    @Optional() @Inject(PLUGIN_LISTENERS) private readonly pluginListeners: readonly PluginListener[] = [],
  ) {}

  /** Every kind of event that there is, those of plugins included. */
  kinds(): readonly WebhookKind[] {
    return WEBHOOK_KINDS;
  }

  /**
   * Writes an event in the transaction that causes it; the same event is written once. Call {@link wake} after the
   * commit.
   */
  async enqueue(event: WebhookEvent, tx: Tx): Promise<void> {
    const { userId, kind, assistantId, subjectId, occurrence = 0, url } = event;
    const endpointId = await this.webhooks.ensureEndpoint(userId, url, tx);
    const body = JSON.stringify(event.payload);
    const eventId = `msg_${randomUUID()}`;
    await this.webhooks.add(
      { userId, endpointId, assistantId, subscriptionId: null, eventId, kind, subjectId, occurrence, body },
      tx,
    );
  }

  /**
   * The same for an event that goes to all subscriptions of the account; the next one of its kind and subject. False
   * when no subscription wants it; otherwise call {@link wake} after the commit.
   */
  publish(event: SubscribedEvent, tx: Tx): Promise<boolean> {
    return this.webhooks.addForSubscriptions(event, tx);
  }

  /** Whether a subscription of the account wants a kind of event. */
  isWanted(userId: number, kind: WebhookKind, tx: Tx): Promise<boolean> {
    return this.webhooks.isWanted(userId, kind, tx);
  }

  /**
   * To be called after the commit of a change that triggers write events of, such as a message. Where the account has a
   * subscription they are delivered now. What is known of that may be some seconds old: then the next sweep finds them.
   */
  wakeFor(userId: number): void {
    void this.subscribed.fetch(userId).then(
      (isSubscribed) => isSubscribed && this.wake(),
      (error: unknown) => this.logger.warn('subscriptions not looked at', { userId, err: error }),
    );
  }

  /** Has events delivered now that are committed; without it the next sweep finds them. */
  wake(): void {
    this.jobs.wake(deliverWebhooksJob, {});
    if (this.pluginListeners.length > 0) this.jobs.wake(enqueuePluginEventsJob, {});
  }

  /**
   * Takes notice of an assistant's settings: what still waits for a switched-off kind is given up, and an endpoint
   * that was disabled gets another chance when its URL is set again.
   */
  async settingsChanged(
    userId: number,
    assistantId: number,
    { off, urlsSet }: WebhookSettings,
    tx: Tx,
  ): Promise<void> {
    if (off.length > 0) await this.webhooks.stop(userId, assistantId, off, tx);
    if (urlsSet.length > 0) await this.webhooks.enableEndpoints(userId, urlsSet, tx);
  }

  /** Parts all deliveries from an assistant that is about to be deleted: they stay, and go on. */
  async detachAssistant(userId: number, assistantId: number): Promise<void> {
    while (await this.webhooks.detachSome(userId, assistantId, DETACH_BATCH));
  }

  /** The last answers of receivers about each of these calls, for any outcome of the delivery. */
  async lastCallResponses(userId: number, callIds: readonly string[]): Promise<Map<string, WebhookResponse>> {
    if (callIds.length === 0) return new Map();
    const responses = await this.webhooks.lastResponses(userId, CALL_KINDS, callIds);
    return new Map(responses.map((response) => [response.subjectId, response]));
  }

  /**
   * Deletes up to `limit` deliveries that are older than they are kept. Returns how many, and what receivers had answered
   * last about calls.
   */
  async removeExpired(limit: number, tx: Tx): Promise<RemovedDeliveries> {
    const removed = await this.webhooks.removeExpired(this.config.retentionMs, limit, tx);
    const callResponses = removed.flatMap(({ userId, response }) =>
      response && CALL_KINDS.includes(response.kind) ? [{ userId, response }] : [],
    );
    return { count: removed.length, callResponses };
  }

  list(userId: number, filter: DeliveryFilter, page: PageRequest): Promise<PageOf<DeliveryRow>> {
    return this.webhooks.page(userId, filter, page);
  }

  /** @throws WebhookDeliveryNotFoundError */
  async get(userId: number, id: number): Promise<DeliveryDetails> {
    const row = await this.webhooks.find(userId, id);
    const body = row && (await this.webhooks.bodyOf(userId, id));
    if (!row || body === null) throw new WebhookDeliveryNotFoundError();
    return { ...row, body, attempts: await this.webhooks.attemptsOf(id) };
  }

  /**
   * Delivers again under the same event id, with a schedule of its own. An endpoint that was disabled is enabled by
   * it.
   *
   * @throws WebhookDeliveryNotFoundError
   */
  async replay(userId: number, id: number): Promise<DeliveryRow> {
    const row = await this.transactions.runWithVerifiedCommit(async (tx) => {
      const isFound = await this.webhooks.restart(userId, id, tx);
      return isFound ? this.webhooks.find(userId, id, tx) : null;
    });
    if (!row) throw new WebhookDeliveryNotFoundError();
    this.wake();
    return row;
  }
}
