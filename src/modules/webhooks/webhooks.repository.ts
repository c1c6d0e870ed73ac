import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Database } from '../../database/database.js';
import { findPage } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { WebhookAttempt } from './delivery/webhook-attempt.entity.js';
import { type DeliveryStatus, WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import type { AccountEvent, WebhookKind } from './webhook-kinds.js';

export interface NewDelivery {
  readonly userId: number;
  readonly endpointId: number;
  readonly assistantId: number | null;
  readonly subscriptionId: number | null;
  readonly eventId: string;
  readonly kind: WebhookKind;
  readonly subjectId: string;
  readonly occurrence: number;
  readonly body: string;
}

/** An event for all subscriptions that want it. */
export interface SubscribedEvent {
  readonly userId: number;
  readonly kind: AccountEvent;
  readonly subjectId: string;
  /** Sent as JSON, under `data`. */
  readonly data: object;
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly kind?: string;
  readonly subscriptionId?: number;
}

/** A delivery as its owner sees it. */
export interface DeliveryRow {
  readonly delivery: WebhookDelivery;
  readonly endpoint: WebhookEndpoint;
  /** The last try that came to an end. */
  readonly lastAttempt: WebhookAttempt | null;
}

/** What a receiver answered last. */
export interface LastResponse {
  readonly subjectId: string;
  readonly kind: WebhookKind;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly finishedAt: Date;
}

/** A delivery that is deleted, with the last answer to it; null when there was none. */
export interface RemovedDelivery {
  readonly userId: number;
  readonly response: LastResponse | null;
}

const REMOVE_SQL = `
  WITH expired AS (
    SELECT id FROM webhook_deliveries WHERE finished_at < now() - make_interval(secs => $1)
    ORDER BY finished_at LIMIT $2 FOR UPDATE SKIP LOCKED),
  last AS (
    SELECT DISTINCT ON (delivery_id) delivery_id, status_code, error, response_body, finished_at
    FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM expired) AND finished_at IS NOT NULL
    ORDER BY delivery_id, number DESC),
  removed AS (
    DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM expired) RETURNING id, user_id, kind, subject_id)
  SELECT removed.user_id AS "userId", removed.kind, removed.subject_id AS "subjectId", last.status_code AS "statusCode",
    last.error, last.response_body AS "responseBody", last.finished_at AS "finishedAt"
  FROM removed LEFT JOIN last ON last.delivery_id = removed.id`;

const HEALTHY_SQL = `disabled_at = NULL, disabled_because = NULL, failing_since = NULL, consecutive_failures = 0,
  window_started_at = NULL, window_attempts = 0, window_failures = 0, open_until = NULL`;

@Injectable()
export class WebhooksRepository {
  constructor(private readonly database: Database) {}

  /** The endpoint of a URL, made on first sight. */
  async ensureEndpoint(userId: number, url: string, tx: Tx): Promise<number> {
    const parameters = [userId, hashOf(url)];
    const find = 'SELECT id FROM webhook_endpoints WHERE user_id = $1 AND url_hash = $2';
    const [known] = await this.database.query<{ id: number }>(find, parameters, tx);
    if (known) return known.id;
    await this.database.query(
      'INSERT INTO webhook_endpoints (user_id, url, url_hash, host) VALUES ($1, $3, $2, $4) ON CONFLICT DO NOTHING',
      [...parameters, url, hostOf(url)],
      tx,
    );
    const [made] = await this.database.query<{ id: number }>(find, parameters, tx);
    if (!made) throw new Error('an endpoint was written and is not there');
    return made.id;
  }

  /** Writes an event once, also when its assistant is gone by now. Returns its id; null when it was there already. */
  add(delivery: NewDelivery, tx: Tx): Promise<number | null> {
    return this.database.value<number>(
      `INSERT INTO webhook_deliveries
         (user_id, endpoint_id, assistant_id, event_id, kind, subject_id, occurrence, body, subscription_id)
       VALUES ($1, $2, (SELECT id FROM assistants WHERE user_id = $1 AND id = $3 FOR KEY SHARE), $4, $5, $6, $7, $8, $9)
       ON CONFLICT DO NOTHING RETURNING id`,
      [
        delivery.userId,
        delivery.endpointId,
        delivery.assistantId,
        delivery.eventId,
        delivery.kind,
        delivery.subjectId,
        delivery.occurrence,
        delivery.body,
        delivery.subscriptionId,
      ],
      tx,
    );
  }

  /** Writes an event for each subscription of the account that wants it. False when there is none. */
  async addForSubscriptions({ userId, kind, subjectId, data }: SubscribedEvent, tx: Tx): Promise<boolean> {
    const [row] = await this.database.query<{ isWanted: boolean }>(
      'SELECT write_webhook_event($1, $2, $3, NULL, $4) AS "isWanted"',
      [userId, kind, subjectId, JSON.stringify(data)],
      tx,
    );
    return row?.isWanted ?? false;
  }

  async isWanted(userId: number, kind: WebhookKind, tx: Tx): Promise<boolean> {
    const [row] = await this.database.query<{ isWanted: boolean }>(
      'SELECT is_webhook_wanted($1, $2) AS "isWanted"',
      [userId, kind],
      tx,
    );
    return row?.isWanted ?? false;
  }

  /** Whether the account has a subscription that is switched on. */
  async hasSubscription(userId: number): Promise<boolean> {
    const [row] = await this.database.query<{ isWanted: boolean }>(
      'SELECT is_webhook_wanted($1) AS "isWanted"',
      [userId],
    );
    return row?.isWanted ?? false;
  }

  /** Newest first, without bodies. */
  async page(userId: number, filter: DeliveryFilter, page: PageRequest): Promise<PageOf<DeliveryRow>> {
    const { rows, total } = await findPage(this.database.manager(), WebhookDelivery, page, {
      where: { userId, ...filter },
      order: { id: 'DESC' },
    });
    return { rows: await this.rowsOf(userId, rows), total };
  }

  async find(userId: number, id: number, tx?: Tx): Promise<DeliveryRow | null> {
    const delivery = await this.database.manager(tx).findOneBy(WebhookDelivery, { userId, id });
    const [row] = await this.rowsOf(userId, delivery ? [delivery] : [], tx);
    return row ?? null;
  }

  bodyOf(userId: number, id: number): Promise<string | null> {
    return this.database.value<string>('SELECT body FROM webhook_deliveries WHERE user_id = $1 AND id = $2', [
      userId,
      id,
    ]);
  }

  /** Oldest first. */
  attemptsOf(deliveryId: number): Promise<WebhookAttempt[]> {
    return this.database.manager().find(WebhookAttempt, { where: { deliveryId }, order: { number: 'ASC' } });
  }

  /** Puts a delivery at the beginning of its schedule and its endpoint on again; false when there is none. */
  async restart(userId: number, id: number, tx: Tx): Promise<boolean> {
    const [restarted] = await this.database.query<{ endpointId: number }>(
      `UPDATE webhook_deliveries
       SET status = 'pending', failed_because = NULL, failures = 0, next_attempt_at = now(), finished_at = NULL
       WHERE user_id = $1 AND id = $2 RETURNING endpoint_id AS "endpointId"`,
      [userId, id],
      tx,
    );
    if (!restarted) return false;
    await this.database.query(
      `UPDATE webhook_endpoints SET ${HEALTHY_SQL} WHERE user_id = $1 AND id = $2 AND disabled_at IS NOT NULL`,
      [userId, restarted.endpointId],
      tx,
    );
    return true;
  }

  /** Switches endpoints on that were switched off. */
  async enableEndpoints(userId: number, urls: readonly string[], tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE webhook_endpoints SET ${HEALTHY_SQL}
       WHERE user_id = $1 AND url_hash = ANY($2) AND disabled_at IS NOT NULL`,
      [userId, urls.map(hashOf)],
      tx,
    );
  }

  /** Gives up what an assistant's events of these kinds still wait for. */
  async stop(userId: number, assistantId: number, kinds: readonly WebhookKind[], tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE webhook_deliveries
       SET status = 'failed', failed_because = 'switched_off', lease_until = NULL, finished_at = now()
       WHERE user_id = $1 AND assistant_id = $2 AND kind = ANY($3) AND status = 'pending'`,
      [userId, assistantId, kinds],
      tx,
    );
  }

  /** Parts up to `limit` deliveries from an assistant. Whether there may be more. */
  async detachSome(userId: number, assistantId: number, limit: number): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE webhook_deliveries SET assistant_id = NULL
       WHERE id IN (SELECT id FROM webhook_deliveries WHERE assistant_id = $2 AND user_id = $1 LIMIT $3) RETURNING 1`,
      [userId, assistantId, limit],
    );
    return rows.length === limit;
  }

  /** The last answer about each subject, of whichever of the kinds. */
  lastResponses(
    userId: number,
    kinds: readonly WebhookKind[],
    subjectIds: readonly string[],
  ): Promise<LastResponse[]> {
    return this.database.readPrepared<LastResponse>(
      `SELECT DISTINCT ON (d.subject_id) d.subject_id AS "subjectId", d.kind, a.status_code AS "statusCode", a.error,
         a.response_body AS "responseBody", a.finished_at AS "finishedAt"
       FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
       WHERE d.user_id = $1 AND d.kind = ANY($2) AND d.subject_id = ANY($3) AND a.finished_at IS NOT NULL
       ORDER BY d.subject_id, a.finished_at DESC`,
      [userId, kinds, subjectIds],
    );
  }

  /** Deletes deliveries that were delivered or given up so long ago, oldest first. Those that are due are never old. */
  async removeExpired(ageMs: number, limit: number, tx: Tx): Promise<RemovedDelivery[]> {
    const rows = await this.database.query<
      Omit<LastResponse, 'finishedAt'> & { userId: number; finishedAt: Date | null }
    >(REMOVE_SQL, [ageMs / 1_000, limit], tx);
    return rows.map(({ userId, finishedAt, ...answer }) => ({
      userId,
      response: finishedAt && { ...answer, finishedAt },
    }));
  }

  private async rowsOf(
    userId: number,
    deliveries: readonly WebhookDelivery[],
    tx?: Tx,
  ): Promise<DeliveryRow[]> {
    if (deliveries.length === 0) return [];
    const ids = deliveries.map(({ id }) => id);
    const manager = this.database.manager(tx);
    const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
    const endpoints = await manager.findBy(WebhookEndpoint, { userId, id: In(endpointIds) });
    const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    const attempts = await manager
      .createQueryBuilder(WebhookAttempt, 'attempt')
      .distinctOn(['attempt.delivery_id'])
      .where('attempt.delivery_id IN (:...ids) AND attempt.finished_at IS NOT NULL', { ids })
      .orderBy('attempt.delivery_id')
      .addOrderBy('attempt.number', 'DESC')
      .getMany();
    const lastOf = new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]));
    return deliveries.flatMap((delivery) => {
      const endpoint = endpointOf.get(delivery.endpointId);
      return endpoint ? [{ delivery, endpoint, lastAttempt: lastOf.get(delivery.id) ?? null }] : [];
    });
  }
}

/** What cannot be parsed fails at its first try, where the owner sees it. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('base64url');
}
