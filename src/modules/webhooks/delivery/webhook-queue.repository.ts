import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCK_CLASSES } from '../../../database/advisory-locks.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { EndpointHealth } from './endpoint-health.js';
import type { FailureReason } from '../webhook-delivery.entity.js';
import type { WebhookKind } from '../webhook-kinds.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';

/** A try that this process may make now, and report once. */
export interface ClaimedDelivery {
  readonly id: number;
  readonly userId: number;
  readonly endpointId: number;
  /** Whose secret signs it; null: the account's. */
  readonly subscriptionId: number | null;
  readonly url: string;
  readonly eventId: string;
  readonly kind: WebhookKind;
  /** What it tells of: a call's id for the kinds of calls. */
  readonly subjectId: string;
  readonly body: string;
  /** Number of the try; an outcome under an older number comes too late. */
  readonly attempt: number;
  readonly failures: number;
}

/** The outcome of an attempt. */
export interface AttemptOutcome {
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  /** Code of the outbound client when there was no answer. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly responseBody: string | null;
  readonly retryAfterMs: number | null;
}

/** Most tries under way at once. */
export interface InFlightLimits {
  readonly perEndpoint: number;
  readonly perHost: number;
  readonly perTenant: number;
}

/** Places of an endpoint that has not delivered anything of late. */
const UNPROVEN_PLACES = 2;

/** What a process has claimed. */
export interface Claims {
  readonly deliveries: readonly ClaimedDelivery[];
  /** There are others with something due, which this claim did not look at: a process claims for them, or may. */
  readonly isRestDue: boolean;
}

const { webhookTenant: TENANT_LOCK, webhookHost: HOST_LOCK } = ADVISORY_LOCK_CLASSES;

/** SQL: endpoint `e` may be tried now. */
const IS_OPEN = 'e.disabled_at IS NULL AND (e.open_until IS NULL OR e.open_until <= now())';

/** SQL: tries under way. */
const IN_FLIGHT = `
  SELECT d.endpoint_id, e.host, d.user_id
  FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
  WHERE d.lease_until > now()`;

/**
 * SQL: the free places of endpoint `e`. A half-open endpoint has one place. Any other begins with two and earns one
 * with each success. A hanging endpoint thus takes little of what its neighbours share with it.
 */
const ROOM = `
  CASE WHEN e.open_until IS NOT NULL THEN 1
       WHEN e.window_started_at > now() - interval '5 minutes'
         THEN least($1, ${UNPROVEN_PLACES} + e.window_attempts - e.window_failures)
       ELSE least($1, ${UNPROVEN_PLACES}) END
    - (SELECT count(*) FROM in_flight WHERE in_flight.endpoint_id = e.id)`;

/**
 * Endpoints with something due and room for it. The query jumps through the index from one endpoint to the next, so
 * the length of a queue costs nothing. Their accounts and hosts are locked: two processes that counted the places of
 * one at once would both see the same free place. A process skips locked endpoints, and locks no more than can use a
 * place, so that processes claim in parallel.
 */
const LOCK_SQL = `
  WITH RECURSIVE waiting AS (
    (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
            WHERE d.status = 'pending' AND d.endpoint_id > waiting.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
    FROM waiting WHERE waiting.endpoint_id IS NOT NULL),
  in_flight AS MATERIALIZED (${IN_FLIGHT}),
  due AS (
    SELECT e.id, e.user_id, e.host, first.next_attempt_at,
      row_number() OVER (PARTITION BY e.user_id ORDER BY first.next_attempt_at) AS turn
    FROM waiting JOIN webhook_endpoints e ON e.id = waiting.endpoint_id
    CROSS JOIN LATERAL (
      SELECT next_attempt_at FROM webhook_deliveries d
      WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= now()
        AND (d.lease_until IS NULL OR d.lease_until <= now())
      ORDER BY next_attempt_at LIMIT 1) AS first
    WHERE ${IS_OPEN} AND ${ROOM} > 0
      AND (SELECT count(*) FROM in_flight WHERE in_flight.host = e.host) < $2
      AND (SELECT count(*) FROM in_flight WHERE in_flight.user_id = e.user_id) < $3),
  first AS MATERIALIZED (
    SELECT id, user_id, host, count(*) OVER () AS due FROM due ORDER BY turn, next_attempt_at LIMIT $4)
  SELECT id, due::int, CASE WHEN pg_try_advisory_xact_lock(${TENANT_LOCK}, user_id)
    THEN pg_try_advisory_xact_lock(${HOST_LOCK}, hashtext(host)) ELSE false END AS locked
  FROM first`;

/**
 * Claims of the given endpoints, whose accounts and hosts must be locked. Of each at most as many rows are read as it
 * has free places. Then hosts and tenants get their limits, each tenant's and each endpoint's first delivery before
 * anyone's second.
 */
const CLAIM_SQL = `
  WITH in_flight AS MATERIALIZED (${IN_FLIGHT}),
  ready AS (
    SELECT e.id, e.host, e.user_id, ${ROOM} AS room
    FROM webhook_endpoints e WHERE e.id = ANY($6::int[]) AND ${IS_OPEN}),
  due AS (
    SELECT d.id, d.next_attempt_at, ready.host, ready.user_id,
      row_number() OVER (PARTITION BY ready.id ORDER BY d.next_attempt_at) AS endpoint_turn
    FROM ready CROSS JOIN LATERAL (
      SELECT id, next_attempt_at FROM webhook_deliveries
      WHERE endpoint_id = ready.id AND status = 'pending' AND next_attempt_at <= now()
        AND (lease_until IS NULL OR lease_until <= now())
      ORDER BY next_attempt_at LIMIT greatest(ready.room, 0)) d),
  by_tenant AS (
    SELECT due.*, row_number() OVER (PARTITION BY user_id ORDER BY endpoint_turn, next_attempt_at) AS tenant_turn
    FROM due),
  by_host AS (
    SELECT by_tenant.*, row_number() OVER (PARTITION BY host ORDER BY tenant_turn, next_attempt_at) AS host_turn
    FROM by_tenant),
  picked AS (
    SELECT id FROM by_host
    WHERE host_turn + (SELECT count(*) FROM in_flight WHERE in_flight.host = by_host.host) <= $2
      AND tenant_turn + (SELECT count(*) FROM in_flight WHERE in_flight.user_id = by_host.user_id) <= $3
    ORDER BY tenant_turn, next_attempt_at LIMIT $4),
  locked AS (
    SELECT id FROM webhook_deliveries WHERE id IN (SELECT id FROM picked) AND status = 'pending'
    FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE webhook_deliveries d
    SET attempts = d.attempts + 1, lease_until = now() + make_interval(secs => $5)
    FROM webhook_endpoints e
    WHERE d.id IN (SELECT id FROM locked) AND e.id = d.endpoint_id
    RETURNING d.id, d.user_id, d.endpoint_id, d.subscription_id, e.url, d.event_id, d.kind, d.subject_id, d.body, d.attempts, d.failures),
  begun AS (
    INSERT INTO webhook_attempts (delivery_id, number) SELECT id, attempts FROM claimed)
  SELECT id, user_id AS "userId", endpoint_id AS "endpointId", subscription_id AS "subscriptionId", url, event_id AS "eventId", kind, subject_id AS "subjectId", body,
    attempts AS attempt, failures
  FROM claimed`;

/** SQL: the delivery $1, unless it is over, a try after $2 has begun, or its owner has asked for it again since. */
const OF_LAST_TRY = `id = $1 AND attempts = $2 AND status = 'pending'
  AND next_attempt_at <= (SELECT started_at FROM webhook_attempts WHERE delivery_id = $1 AND number = $2)`;

/** Deliveries as a queue: which are due now, and the outcomes of attempts. Works across tenants. */
@Injectable()
export class WebhookQueueRepository {
  constructor(private readonly database: Database) {}

  /** Takes due deliveries for this process until the lease ends, and begins a try of each. */
  async claimDue(limit: number, limits: InFlightLimits, leaseMs: number, tx: Tx): Promise<Claims> {
    const { perEndpoint, perHost, perTenant } = limits;
    const found = await this.database.writePrepared<{ id: number; due: number; locked: boolean }>(
      LOCK_SQL,
      [perEndpoint, perHost, perTenant, limit],
      tx,
    );
    const endpointIds = found.filter(({ locked }) => locked).map(({ id }) => id);
    const isRestDue = endpointIds.length < (found[0]?.due ?? 0);
    if (endpointIds.length === 0) return { deliveries: [], isRestDue };
    // Apart from the locks, so that it sees the commits of their earlier holders.
    const deliveries = await this.database.writePrepared<ClaimedDelivery>(
      CLAIM_SQL,
      [perEndpoint, perHost, perTenant, limit, leaseMs / 1_000, endpointIds],
      tx,
    );
    return { deliveries, isRestDue };
  }

  /** Whether there is anything to deliver, now or later. */
  async isAnyPending(): Promise<boolean> {
    const [row] = await this.database.readPrepared<{ pending: boolean }>(
      "SELECT EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending') AS pending",
      [],
    );
    return row?.pending ?? false;
  }

  /** Gives up some of what waits for endpoints that are switched off. Returns how many. */
  async failDisabled(limit: number): Promise<number> {
    const rows = await this.database.writePrepared(
      `WITH waiting AS (
         SELECT d.id FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
         WHERE e.disabled_at IS NOT NULL AND d.status = 'pending' AND (d.lease_until IS NULL OR d.lease_until <= now())
         LIMIT $1 FOR UPDATE OF d SKIP LOCKED)
       UPDATE webhook_deliveries SET status = 'failed', failed_because = 'endpoint_disabled', finished_at = now()
       WHERE id IN (SELECT id FROM waiting) RETURNING id`,
      [limit],
    );
    return rows.length;
  }

  async recordOutcome({ id, attempt }: ClaimedDelivery, outcome: AttemptOutcome, tx: Tx): Promise<void> {
    await this.database.writePrepared(
      `UPDATE webhook_attempts
       SET finished_at = now(), duration_ms = $3, status_code = $4, error = $5, response_body = $6
       WHERE delivery_id = $1 AND number = $2`,
      [id, attempt, outcome.durationMs, outcome.statusCode, outcome.error, outcome.responseBody],
      tx,
    );
  }

  /** The receiver has it: that is true even if another process tries or the delivery was given up. */
  async markDelivered({ id }: ClaimedDelivery, tx: Tx): Promise<void> {
    await this.database.writePrepared(
      `UPDATE webhook_deliveries
       SET status = 'delivered', failed_because = NULL, lease_until = NULL, finished_at = now()
       WHERE id = $1 AND status <> 'delivered'`,
      [id],
      tx,
    );
  }

  /** False where the failure of this try no longer decides on the delivery. */
  async postpone({ id, attempt }: ClaimedDelivery, waitMs: number, tx: Tx): Promise<boolean> {
    const rows = await this.database.writePrepared(
      `UPDATE webhook_deliveries
       SET failures = failures + 1, next_attempt_at = now() + make_interval(secs => $3), lease_until = NULL
       WHERE ${OF_LAST_TRY} RETURNING id`,
      [id, attempt, waitMs / 1_000],
      tx,
    );
    return rows.length > 0;
  }

  /** The same for a try that was the last. */
  async fail({ id, attempt }: ClaimedDelivery, reason: FailureReason, tx: Tx): Promise<boolean> {
    const rows = await this.database.writePrepared(
      `UPDATE webhook_deliveries
       SET failures = failures + 1, status = 'failed', failed_because = $3, lease_until = NULL, finished_at = now()
       WHERE ${OF_LAST_TRY} RETURNING id`,
      [id, attempt, reason],
      tx,
    );
    return rows.length > 0;
  }

  /** Gives a delivery back that this try does not decide on; it can be claimed again at once. */
  async release({ id, attempt }: ClaimedDelivery, tx?: Tx): Promise<void> {
    await this.database.writePrepared(
      'UPDATE webhook_deliveries SET lease_until = NULL WHERE id = $1 AND attempts = $2',
      [id, attempt],
      tx,
    );
  }

  /**
   * The health of the endpoint, and the database's time, which claims go by. The lock changes no key, so that events
   * for the endpoint are written in the meantime: a message does not wait for an outcome.
   */
  async lockHealth(endpointId: number, tx: Tx): Promise<{ health: EndpointHealth; now: Date }> {
    const [row] = await this.database.writePrepared<EndpointHealth & { now: Date }>(
      `SELECT disabled_at AS "disabledAt", disabled_because AS "disabledBecause", failing_since AS "failingSince",
         consecutive_failures AS "consecutiveFailures", window_started_at AS "windowStartedAt",
         window_attempts AS "windowAttempts", window_failures AS "windowFailures", open_until AS "openUntil",
         clock_timestamp() AS now
       FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`,
      [endpointId],
      tx,
    );
    if (!row) throw new Error('a delivery without an endpoint');
    const { now, ...health } = row;
    return { health, now };
  }

  async saveHealth(endpointId: number, health: EndpointHealth, tx: Tx): Promise<void> {
    const { disabledAt, disabledBecause, failingSince, consecutiveFailures } = health;
    const { windowStartedAt, windowAttempts, windowFailures, openUntil } = health;
    await this.database.manager(tx).update(
      WebhookEndpoint,
      { id: endpointId },
      {
        disabledAt,
        disabledBecause,
        failingSince,
        consecutiveFailures,
        windowStartedAt,
        windowAttempts,
        windowFailures,
        openUntil,
      },
    );
  }
}
