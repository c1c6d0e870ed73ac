import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '../../../database/database.js';
import { deleteOne, nextId } from '../../../database/entity-statements.js';
import type { Tx } from '../../../database/transactions.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/** A subscription and how its URL has been doing. */
export interface SubscriptionRow {
  readonly subscription: WebhookSubscription;
  readonly endpoint: WebhookEndpoint;
}

export type NewSubscription = Pick<
  WebhookSubscription,
  'id' | 'userId' | 'endpointId' | 'description' | 'events' | 'enabled' | 'sealedSecret'
>;

export type SubscriptionChanges = Partial<
  Pick<WebhookSubscription, 'endpointId' | 'description' | 'events' | 'enabled'>
>;

const STOPPED = `status = 'failed', failed_because = 'switched_off', lease_until = NULL, finished_at = now()`;

@Injectable()
export class WebhookSubscriptionsRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first. There are few: an account may have so many and no more. */
  async listOf(userId: number, limit: number): Promise<SubscriptionRow[]> {
    const subscriptions = await this.database
      .manager()
      .find(WebhookSubscription, { where: { userId }, order: { id: 'ASC' }, take: limit });
    const ids = subscriptions.map(({ endpointId }) => endpointId);
    const endpoints = await this.database.manager().findBy(WebhookEndpoint, { userId, id: In(ids) });
    return subscriptions.flatMap((subscription) => {
      const endpoint = endpoints.find(({ id }) => id === subscription.endpointId);
      return endpoint ? [{ subscription, endpoint }] : [];
    });
  }

  async find(userId: number, id: number, tx?: Tx): Promise<SubscriptionRow | null> {
    const subscription = await this.database.manager(tx).findOneBy(WebhookSubscription, { userId, id });
    if (!subscription) return null;
    const { endpointId } = subscription;
    const endpoint = await this.database
      .manager(tx)
      .findOneByOrFail(WebhookEndpoint, { userId, id: endpointId });
    return { subscription, endpoint };
  }

  /** Locks the subscription until the transaction ends; events are written in the meantime. */
  findLocked(userId: number, id: number, tx: Tx): Promise<WebhookSubscription | null> {
    return this.database
      .manager(tx)
      .findOne(WebhookSubscription, { where: { userId, id }, lock: { mode: 'for_no_key_update' } });
  }

  count(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(WebhookSubscription, { userId });
  }

  /** Takes the next id before the row is written, because the secret is sealed to it. */
  nextId(tx: Tx): Promise<number> {
    return nextId(this.database, 'webhook_subscriptions', tx);
  }

  async insert(subscription: NewSubscription, tx: Tx): Promise<void> {
    await this.database.manager(tx).insert(WebhookSubscription, subscription);
  }

  async update(userId: number, id: number, changes: SubscriptionChanges, tx: Tx): Promise<void> {
    await this.database.manager(tx).update(WebhookSubscription, { userId, id }, changes);
  }

  /** Puts a new secret in the place of the current one, which stays valid for a while. */
  async replaceSecret(
    userId: number,
    id: number,
    sealedSecret: string,
    overlapMs: number,
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `UPDATE webhook_subscriptions
       SET sealed_previous_secret = sealed_secret, previous_expires_at = now() + make_interval(secs => $4),
         sealed_secret = $3, secret_created_at = now()
       WHERE user_id = $1 AND id = $2`,
      [userId, id, sealedSecret, overlapMs / 1_000],
      tx,
    );
  }

  /** Gives up what still waits for it, after one delivery up to a limit. Returns the last one; null when that was all. */
  async stopSomeDeliveries(userId: number, id: number, after: number, limit: number): Promise<number | null> {
    const rows = await this.database.query<{ id: number }>(
      `WITH waiting AS (
         SELECT id FROM webhook_deliveries
         WHERE user_id = $1 AND subscription_id = $2 AND status = 'pending' AND id > $3
         ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED)
       UPDATE webhook_deliveries SET ${STOPPED} WHERE id IN (SELECT id FROM waiting) RETURNING id`,
      [userId, id, after, limit],
    );
    return rows.length < limit ? null : Math.max(...rows.map((row) => row.id));
  }

  /** The same with all of it. */
  async stopDeliveries(userId: number, id: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE webhook_deliveries SET ${STOPPED}
       WHERE user_id = $1 AND subscription_id = $2 AND status = 'pending'`,
      [userId, id],
      tx,
    );
  }

  /** Deletes deliveries of a subscription that is to go, up to a limit; says whether there may be more. */
  async deleteSomeDeliveries(userId: number, id: number, limit: number): Promise<boolean> {
    const rows = await this.database.query(
      `DELETE FROM webhook_deliveries WHERE id IN (
         SELECT id FROM webhook_deliveries WHERE subscription_id = $2 AND user_id = $1 LIMIT $3) RETURNING 1`,
      [userId, id, limit],
    );
    return rows.length === limit;
  }

  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), WebhookSubscription, { userId, id });
  }
}
