import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { type BreakerRules, CarrierBreakerRepository } from './carrier-breaker.repository.js';
import type { OpenBreaker } from './open-breaker.js';

const RULES: BreakerRules = { threshold: 3, firstWaitMs: 2_000, maxWaitMs: 60_000 };
/** A carrier that limits calls without saying for how long. */
const DEFAULT_LIMIT_MS = 5_000;
const MAX_LIMIT_MS = 3_600_000;
/** Longer than any request to a carrier. */
const PROBE_LEASE_MS = 30_000;
/** How old the state may be that a decision is based on. */
const FRESH_MS = 500;

/**
 * Keeps calls from a carrier that takes none. It opens after three calls in a row that were not taken, or at once when the
 * carrier limits calls, for as long as it says. Then one call tries, and closes it or waits for longer.
 *
 * The state is in the database, because the processes that refuse calls are not those that send them, and because one
 * probe is enough for all of them. While all is well, a call costs no query more: the state is read twice a second.
 */
@Injectable()
export class CarrierBreakerService {
  private known: Awaited<ReturnType<CarrierBreakerRepository['find']>> = { failures: 0, open: null };
  private knownAtMs = -Infinity;

  constructor(
    private readonly breakers: CarrierBreakerRepository,
    private readonly carrier: CallCarrier,
    private readonly logger: Logger,
    metrics: MetricsService,
  ) {
    metrics.gauge({
      name: 'call_carrier_breaker_open',
      help: 'Whether no calls are made because the carrier takes none: 1 while the breaker is open or half-open',
      labelNames: ['carrier', 'reason'],
      read: async () => {
        const open = await this.findOpen();
        return ['unavailable', 'rate-limited'].map((reason) => ({
          labels: { carrier: carrier.name, reason },
          value: open?.reason === reason ? 1 : 0,
        }));
      },
    });
  }

  /** Null while calls are sent. */
  async findOpen(): Promise<OpenBreaker | null> {
    return (await this.read()).open;
  }

  /**
   * Sends a call, if the breaker lets it pass.
   *
   * @param place asks the carrier
   * @throws CallCarrierError that of `place`, or one that was provably not sent when the breaker is open
   */
  async pass<Answer>(place: () => Promise<Answer>): Promise<Answer> {
    const isProbe = await this.admit();
    try {
      const answer = await place();
      await this.succeeded(isProbe);
      return answer;
    } catch (error) {
      if (error instanceof CallCarrierError) await this.failed(error, isProbe);
      throw error;
    }
  }

  /** Whether the call is the one that tries if the carrier is back. @throws CallCarrierError */
  private async admit(): Promise<boolean> {
    const { open } = await this.read();
    if (!open) return false;
    this.forget();
    if (await this.breakers.takeProbe(this.carrier.name, PROBE_LEASE_MS)) return true;
    const now = await this.findOpen();
    if (!now) return false;
    throw new CallCarrierError(now.reason, 'no', { retryAfterMs: now.retryInMs });
  }

  private async succeeded(isProbe: boolean): Promise<void> {
    if (!isProbe && this.known.failures === 0) return;
    await this.record(() => this.breakers.recordSuccess(this.carrier.name, isProbe));
    if (isProbe) this.logger.info('carrier takes calls again', { carrier: this.carrier.name });
  }

  private async failed(error: CallCarrierError, isProbe: boolean): Promise<void> {
    const { name: carrier } = this.carrier;
    if (error.code === 'rate-limited') {
      const waitMs = Math.min(error.retryAfterMs ?? DEFAULT_LIMIT_MS, MAX_LIMIT_MS);
      const failure = { trouble: 'rate-limited', waitMs, isProbe } as const;
      await this.record(() => this.breakers.recordFailure(carrier, failure, RULES));
    } else if (error.code === 'unavailable' || error.code === 'timeout') {
      const failure = { trouble: 'unavailable', waitMs: null, isProbe } as const;
      await this.record(() => this.breakers.recordFailure(carrier, failure, RULES));
    } else {
      // Whoever refuses a call is there.
      await this.succeeded(isProbe);
    }
  }

  /** What became of the call is more than what is counted of it. */
  private async record(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.logger.warn('state of the carrier not written', { carrier: this.carrier.name, err: error });
    }
    this.forget();
  }

  private async read(): Promise<typeof this.known> {
    const nowMs = performance.now();
    if (nowMs - this.knownAtMs > FRESH_MS) {
      this.known = await this.breakers.find(this.carrier.name);
      this.knownAtMs = nowMs;
    }
    return this.known;
  }

  private forget(): void {
    this.knownAtMs = -Infinity;
  }
}
