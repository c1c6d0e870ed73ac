import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { inCallSpan, inSpan } from '../../../common/observability/tracing.js';
import { WebhooksConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { Handles } from '../../../queues/workers/handles.js';
import { BREAKER_OPEN_MS, healthAfter, type Verdict } from './endpoint-health.js';
import { nextWaitMs } from './retry-schedule.js';
import { WebhookMetricsService } from './webhook-metrics.service.js';
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  type InFlightLimits,
  WebhookQueueRepository,
} from './webhook-queue.repository.js';
import { WebhookSenderService } from './webhook-sender.service.js';
import type { FailureReason } from '../webhook-delivery.entity.js';
import { deliverWebhooksJob } from './deliver-webhooks.job.js';

/** Tries of one process at once. */
const CONCURRENCY = 60;
/** Over all processes. An endpoint that hangs fills its own places and opens its breaker with them. */
const LIMITS: InFlightLimits = { perEndpoint: 10, perHost: 20, perTenant: 30 };
/** On top of a try's own limit: writing its outcome down. */
const LEASE_MARGIN_MS = 15_000;
/** Waits up to this long are kept by a timer; for the rest, and for what died with a process, there is the sweep. */
const MAX_TIMER_MS = 5_000;
/** Deliveries that are given up in one statement, while all others wait. */
const GIVE_UP_BATCH = 2_000;
/** Places that become free within this time are filled together: claiming costs more than one try's bookkeeping. */
const REFILL_MS = 20;

/** What a try leaves to be done for its endpoint. */
interface Settled {
  /** Until something is due there; null when this try does not tell. */
  readonly waitMs: number | null;
  readonly isDisabled: boolean;
}

/** Delivers what is due, as many at once as there are places. Runs in worker processes alone. */
@Injectable()
export class WebhookDispatcherService implements BeforeApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private filling: Promise<void> | null = null;
  private isAskedAgain = false;
  private isRefillSet = false;
  private isStopped = false;

  constructor(
    private readonly queue: WebhookQueueRepository,
    private readonly sender: WebhookSenderService,
    private readonly transactions: Transactions,
    private readonly metrics: WebhookMetricsService,
    private readonly config: WebhooksConfig,
    private readonly logger: Logger,
  ) {}

  /** Begins what is due and there is room for. Returns when it is begun; each end looks for more. */
  dispatchDue(): Promise<void> {
    this.isAskedAgain = true;
    this.filling ??= this.fill().finally(() => {
      this.filling = null;
    });
    return this.filling;
  }

  /**
   * The same, and deliveries to endpoints that are switched off are given up. That comes after the due deliveries and
   * a part at a time, so that the backlog of one endpoint delays no other.
   */
  @Handles(deliverWebhooksJob)
  async sweep(): Promise<void> {
    // Most of the time there is nothing, and an idle installation pays for each statement.
    if (!(await this.queue.isAnyPending())) return;
    await this.dispatchDue();
    while ((await this.queue.failDisabled(GIVE_UP_BATCH)) === GIVE_UP_BATCH) await this.dispatchDue();
  }

  /** Tries under way come to their end; what is due is left to other processes. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.filling;
    await Promise.all(this.running);
  }

  private async fill(): Promise<void> {
    while (this.isAskedAgain && !this.isStopped) {
      this.isAskedAgain = false;
      const room = CONCURRENCY - this.running.size;
      if (room <= 0) return;
      const leaseMs = this.config.timeoutMs + LEASE_MARGIN_MS;
      const { deliveries, isRestDue } = await this.transactions.run((tx) =>
        this.queue.claimDue(room, LIMITS, leaseMs, tx),
      );
      for (const delivery of deliveries) this.begin(delivery);
      // Others that are claimed for elsewhere may be left over there.
      if (isRestDue) this.refill();
    }
  }

  private begin(delivery: ClaimedDelivery): void {
    const attempt = this.attempt(delivery)
      // The lease ends by itself, and the delivery is claimed again.
      .catch((error: unknown) =>
        this.logger.error('webhook attempt failed', { deliveryId: delivery.id, err: error }),
      )
      .finally(() => {
        this.running.delete(attempt);
        this.refill();
      });
    this.running.add(attempt);
  }

  private attempt(delivery: ClaimedDelivery): Promise<void> {
    const { kind, attempt, subjectId } = delivery;
    const attributes = { 'prosa.webhook.kind': kind, 'prosa.webhook.attempt': attempt };
    const work = () => this.attemptNow(delivery);
    // Of a call, whose end they tell.
    if (kind === 'post-call' || kind === 'inbound')
      return inCallSpan(Number(subjectId), 'webhook', attributes, work);
    return inSpan('webhook', attributes, work);
  }

  private async attemptNow(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await this.sender.send(delivery);
    if (!outcome) return this.queue.release(delivery);
    this.metrics.tried(outcome);
    const { waitMs, isDisabled } = await this.transactions.run((tx) => this.settle(delivery, outcome, tx));
    // The sweep gives up the rest.
    if (isDisabled) await this.queue.failDisabled(GIVE_UP_BATCH);
    else if (waitMs !== null && waitMs <= MAX_TIMER_MS) this.dispatchIn(waitMs);
  }

  private async settle(delivery: ClaimedDelivery, outcome: AttemptOutcome, tx: Tx): Promise<Settled> {
    const verdict = verdictOf(outcome);
    // The delivery before its attempt: deletions lock them in the same order.
    const waitMs = await this.move(delivery, outcome, verdict, tx);
    await this.queue.recordOutcome(delivery, outcome, tx);

    const { health, now } = await this.queue.lockHealth(delivery.endpointId, tx);
    const after = healthAfter(health, verdict, now, BREAKER_OPEN_MS * this.config.retryScale);
    await this.queue.saveHealth(delivery.endpointId, after, tx);
    if (after.disabledAt && !health.disabledAt) {
      const { userId, endpointId } = delivery;
      this.logger.warn('webhook endpoint disabled', { userId, endpointId, reason: after.disabledBecause });
    }
    const openMs = after.openUntil ? after.openUntil.getTime() - now.getTime() : 0;
    return {
      waitMs: openMs > 0 ? Math.max(openMs, waitMs ?? 0) : waitMs,
      isDisabled: after.disabledAt !== null,
    };
  }

  private async move(
    delivery: ClaimedDelivery,
    { retryAfterMs }: AttemptOutcome,
    verdict: Verdict,
    tx: Tx,
  ): Promise<number | null> {
    if (verdict === 'success') await this.queue.markDelivered(delivery, tx);
    if (verdict === 'gone') await this.fail(delivery, 'endpoint_gone', tx);
    if (verdict !== 'failure') return null;
    const { kind, failures } = delivery;
    const scale = this.config.retryScale;
    const waitMs = nextWaitMs({ kind, failures: failures + 1, retryAfterMs, scale, random: Math.random() });
    if (waitMs === null) await this.fail(delivery, 'tries_exhausted', tx);
    else if (!(await this.queue.postpone(delivery, waitMs, tx))) await this.queue.release(delivery, tx);
    return waitMs;
  }

  private async fail(delivery: ClaimedDelivery, reason: FailureReason, tx: Tx): Promise<void> {
    if (!(await this.queue.fail(delivery, reason, tx))) await this.queue.release(delivery, tx);
  }

  private refill(): void {
    if (this.isRefillSet) return;
    this.isRefillSet = true;
    this.dispatchIn(REFILL_MS);
  }

  private dispatchIn(waitMs: number): void {
    if (this.isStopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.isRefillSet = false;
      this.dispatchDue().catch((error: unknown) => this.logger.warn('webhooks not claimed', { err: error }));
    }, waitMs).unref();
    this.timers.add(timer);
  }
}

function verdictOf({ statusCode }: AttemptOutcome): Verdict {
  if (statusCode === 410) return 'gone';
  return statusCode !== null && statusCode >= 200 && statusCode < 300 ? 'success' : 'failure';
}
