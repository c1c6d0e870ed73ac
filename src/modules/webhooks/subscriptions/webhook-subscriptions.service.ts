import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import { isAccountEvent, TEST_KIND } from '../webhook-kinds.js';
import { type DeliveryRow, WebhooksRepository } from '../webhooks.repository.js';
import { WebhooksService } from '../webhooks.service.js';
import type {
  CreateWebhookEndpointRequest,
  UpdateWebhookEndpointRequest,
} from './dto/webhook-endpoint.request.js';
import { SubscriptionSecretsService } from './subscription-secrets.service.js';
import type { WebhookSubscription } from './webhook-subscription.entity.js';
import {
  refuseUnknownEvents,
  WebhookSubscriptionLimitError,
  WebhookSubscriptionNotFoundError,
} from './webhook-subscriptions.errors.js';
import { type SubscriptionRow, WebhookSubscriptionsRepository } from './webhook-subscriptions.repository.js';

/** An event is written once for each of them, so there are few. */
export const MAX_SUBSCRIPTIONS = 10;
/** Each is a statement of its own, because a million deliveries would take longer than a statement may. */
const BATCH = 5_000;

/** The webhook endpoints that an account has registered for its events. */
@Injectable()
export class WebhookSubscriptionsService {
  constructor(
    private readonly subscriptions: WebhookSubscriptionsRepository,
    private readonly deliveries: WebhooksRepository,
    private readonly webhooks: WebhooksService,
    private readonly secrets: SubscriptionSecretsService,
    private readonly accounts: AccountsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  list(userId: number): Promise<SubscriptionRow[]> {
    return this.subscriptions.listOf(userId, MAX_SUBSCRIPTIONS);
  }

  /** @throws WebhookSubscriptionNotFoundError */
  async get(userId: number, id: number, tx?: Tx): Promise<SubscriptionRow> {
    return (await this.subscriptions.find(userId, id, tx)) ?? WebhookSubscriptionNotFoundError.throw();
  }

  /**
   * Registers an endpoint: what happens from the commit on is written for it.
   *
   * @throws WebhookSubscriptionLimitError
   * @throws ValidationFailedError for an event that there is not
   */
  create(userId: number, request: CreateWebhookEndpointRequest): Promise<SubscriptionRow> {
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, tx),
        referenceOf: ({ subscription }) => String(subscription.id),
        recall: (id) => this.get(userId, Number(id), tx),
      }),
    );
  }

  /**
   * Changes the fields that were sent. Sending the URL, or switching the endpoint on, enables an endpoint that its
   * failures had disabled. Deliveries that wait for a switched-off endpoint are given up. An event that it has may be
   * sent again, also when its plugin was removed.
   *
   * @throws WebhookSubscriptionNotFoundError
   * @throws ValidationFailedError for an event that there is not
   */
  async update(userId: number, id: number, request: UpdateWebhookEndpointRequest): Promise<SubscriptionRow> {
    if (request.enabled === false) await this.stopBacklog(userId, id, request);
    return this.transactions.run(async (tx) => {
      const found = await this.subscriptions.findLocked(userId, id, tx);
      if (!found) throw new WebhookSubscriptionNotFoundError();
      refuseEventsNewTo(found, request);
      await this.change(found, request, tx);
      const row = await this.get(userId, id, tx);
      if (request.url === undefined && request.enabled !== true) return row;
      await this.deliveries.enableEndpoints(userId, [row.endpoint.url], tx);
      return this.get(userId, id, tx);
    });
  }

  /** Deletes an endpoint with its deliveries. @throws WebhookSubscriptionNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    await this.update(userId, id, { enabled: false });
    while (await this.subscriptions.deleteSomeDeliveries(userId, id, BATCH));
    if (!(await this.subscriptions.delete(userId, id))) throw new WebhookSubscriptionNotFoundError();
  }

  /** Sends a test event, also to an endpoint that is switched off. @throws WebhookSubscriptionNotFoundError */
  async test(userId: number, id: number): Promise<DeliveryRow> {
    const row = await this.transactions.run(async (tx) => {
      const found = await this.get(userId, id, tx);
      await this.deliveries.enableEndpoints(userId, [found.endpoint.url], tx);
      const deliveryId = await this.deliveries.add(testOf(found.subscription), tx);
      return deliveryId === null ? null : this.deliveries.find(userId, deliveryId, tx);
    });
    if (!row) throw new Error('a test event was written and is not there');
    this.webhooks.wake();
    return row;
  }

  private async add(
    userId: number,
    { url, description = '', events = null, enabled = true }: CreateWebhookEndpointRequest,
    tx: Tx,
  ): Promise<SubscriptionRow> {
    refuseUnknownEvents(events, isAccountEvent);
    await this.accounts.lockLimits(userId, tx);
    if ((await this.subscriptions.count(userId, tx)) >= MAX_SUBSCRIPTIONS) {
      throw new WebhookSubscriptionLimitError(MAX_SUBSCRIPTIONS);
    }
    const id = await this.subscriptions.nextId(tx);
    const endpointId = await this.deliveries.ensureEndpoint(userId, url, tx);
    await this.deliveries.enableEndpoints(userId, [url], tx);
    const sealedSecret = this.secrets.sealNew(userId, id);
    await this.subscriptions.insert(
      { id, userId, endpointId, description, events, enabled, sealedSecret },
      tx,
    );
    return this.get(userId, id, tx);
  }

  /** Gives up what waits for an endpoint that is to be switched off, but for the last of it: that goes with the change. */
  private async stopBacklog(
    userId: number,
    id: number,
    request: UpdateWebhookEndpointRequest,
  ): Promise<void> {
    const { subscription } = await this.get(userId, id);
    refuseEventsNewTo(subscription, request);
    for (let last: number | null = 0; last !== null;) {
      last = await this.subscriptions.stopSomeDeliveries(userId, id, last, BATCH);
    }
  }

  private async change(
    { userId, id, endpointId }: WebhookSubscription,
    { url, description, events, enabled }: UpdateWebhookEndpointRequest,
    tx: Tx,
  ): Promise<void> {
    const target = url === undefined ? endpointId : await this.deliveries.ensureEndpoint(userId, url, tx);
    await this.subscriptions.update(
      userId,
      id,
      {
        endpointId: target,
        ...(description !== undefined && { description }),
        ...(events !== undefined && { events }),
        ...(enabled !== undefined && { enabled }),
      },
      tx,
    );
    if (enabled === false) await this.subscriptions.stopDeliveries(userId, id, tx);
  }
}

/** @throws ValidationFailedError for an event that there is not, and that the endpoint does not have either */
function refuseEventsNewTo({ events }: WebhookSubscription, request: UpdateWebhookEndpointRequest): void {
  refuseUnknownEvents(request.events, (kind) => isAccountEvent(kind) || !!events?.includes(kind));
}

function testOf({ id, userId, endpointId }: WebhookSubscription) {
  const data = { webhook_endpoint_id: id };
  return {
    userId,
    endpointId,
    assistantId: null,
    subscriptionId: id,
    eventId: `msg_${randomUUID()}`,
    kind: TEST_KIND,
    subjectId: randomUUID(),
    occurrence: 0,
    body: JSON.stringify({ type: TEST_KIND, timestamp: new Date().toISOString(), data }),
  } as const;
}
