import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Logger } from '../../../common/observability/logger.js';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { type BreakerRules, CarrierBreakerRepository } from './carrier-breaker.repository.js';
import type { OpenBreaker } from './open-breaker.js';

const RULES: BreakerRules = { threshold: 3, firstWaitMs: 2_000, maxWaitMs: 60_000 };
/** A carrier that limits calls without saying for how long. */
const DEFAULT_LIMIT_MS = 5_000;
const MAX_LIMIT_MS = 3_600_000;
/** Longer than any request to a carrier. */
const PROBE_LEASE_MS = 30_000;
/** Accounts with credentials of their own have a breaker each. */
const MAX_KNOWN = 5_000;
/** How old the state may be that a decision is based on. */
const FRESH_MS = 500;

/** What was read, and when. */
interface KnownState {
  readonly failures: number;
  readonly open: OpenBreaker | null;
  readonly atMs: number;
}

/**
 * The circuit breaker of a carrier. It opens after three calls in a row that were not accepted. It also opens at once
 * when the carrier limits calls, for as long as the carrier asks. Then one probe call closes it, or prolongs it.
 *
 * The state is in the database, because the processes that refuse calls are not those that send them. One probe is
 * enough for all of them. While all is well, a call costs no query more: the state is read twice a second. Each
 * carrier has a breaker of its own, by its name, and so has each account that calls with credentials of its own.
 */
@Injectable()
export class CarrierBreakerService {
  private readonly known = new LRUCache<string, KnownState>({ max: MAX_KNOWN });

  constructor(
    private readonly breakers: CarrierBreakerRepository,
    private readonly carriers: CallCarriers,
    private readonly logger: Logger,
    metrics: MetricsService,
  ) {
    metrics.gauge({
      name: 'call_carrier_breaker_open',
      help: 'Whether no calls are made because the carrier takes none: 1 while the breaker is open or half-open',
      labelNames: ['carrier', 'reason'],
      read: async () => {
        const states = carriers.ofNumbers.map(async ({ name: carrier }) => {
          const open = await this.findOpen(carrier);
          return ['unavailable', 'rate-limited'].map((reason) => ({
            labels: { carrier, reason },
            value: open?.reason === reason ? 1 : 0,
          }));
        });
        return (await Promise.all(states)).flat();
      },
    });
  }

  /** Null while calls are sent. @param carrier its name, as in all that follows */
  async findOpen(carrier: string): Promise<OpenBreaker | null> {
    return (await this.read(carrier)).open;
  }

  /** The breakers that are not closed, of all carriers of this installation. */
  async findAllOpen(): Promise<OpenBreaker[]> {
    const states = await Promise.all(this.carriers.ofNumbers.map(({ name }) => this.findOpen(name)));
    return states.filter((open) => open !== null);
  }

  /** Null while at least one carrier is sent calls; else the breaker that tries again first. */
  async findOpenEverywhere(): Promise<OpenBreaker | null> {
    const open = await this.findAllOpen();
    if (open.length < this.carriers.ofNumbers.length) return null;
    return open.toSorted((a, b) => a.retryInMs - b.retryInMs)[0] ?? null;
  }

  /** Those that are open as far as this process knows without asking; for use within a transaction. */
  knownOpen(carriers: readonly string[]): ReadonlyMap<string, OpenBreaker> {
    const open = new Map<string, OpenBreaker>();
    for (const carrier of carriers) {
      const state = this.known.get(carrier)?.open;
      if (state?.state === 'open') open.set(carrier, state);
    }
    return open;
  }

  /**
   * Sends a call, if the breaker lets it pass.
   *
   * @param place asks the carrier
   * @throws CallCarrierError that of `place`, or one that was provably not sent when the breaker is open
   */
  async pass<Answer>(carrier: string, place: () => Promise<Answer>): Promise<Answer> {
    const isProbe = await this.admit(carrier);
    try {
      const answer = await place();
      await this.succeeded(carrier, isProbe);
      return answer;
    } catch (error) {
      if (error instanceof CallCarrierError) await this.failed(carrier, error, isProbe);
      throw error;
    }
  }

  /** Keeps calls from a carrier for a while, because more of them wait for it than it takes. */
  async limit(carrier: string, waitMs: number): Promise<void> {
    const failure = { trouble: 'rate-limited', waitMs, isProbe: false } as const;
    await this.record(carrier, () => this.breakers.recordFailure(carrier, failure, RULES));
  }

  /** Whether the call is the one that tries if the carrier is back. @throws CallCarrierError */
  private async admit(carrier: string): Promise<boolean> {
    const { open } = await this.read(carrier);
    if (!open) return false;
    this.known.delete(carrier);
    if (await this.breakers.takeProbe(carrier, PROBE_LEASE_MS)) return true;
    const now = await this.findOpen(carrier);
    if (!now) return false;
    throw new CallCarrierError(now.reason, 'no', { retryAfterMs: now.retryInMs });
  }

  private async succeeded(carrier: string, isProbe: boolean): Promise<void> {
    if (!isProbe && (this.known.get(carrier)?.failures ?? 0) === 0) return;
    await this.record(carrier, () => this.breakers.recordSuccess(carrier, isProbe));
    if (isProbe) this.logger.info('carrier takes calls again', { carrier });
  }

  private async failed(carrier: string, error: CallCarrierError, isProbe: boolean): Promise<void> {
    if (error.code === 'rate-limited') {
      const waitMs = Math.min(error.retryAfterMs ?? DEFAULT_LIMIT_MS, MAX_LIMIT_MS);
      const failure = { trouble: 'rate-limited', waitMs, isProbe } as const;
      await this.record(carrier, () => this.breakers.recordFailure(carrier, failure, RULES));
    } else if (error.code === 'unavailable' || error.code === 'timeout') {
      const failure = { trouble: 'unavailable', waitMs: null, isProbe } as const;
      await this.record(carrier, () => this.breakers.recordFailure(carrier, failure, RULES));
    } else {
      // A carrier that refuses a call is reachable.
      await this.succeeded(carrier, isProbe);
    }
  }

  /** What became of the call is more than what is counted of it. */
  private async record(carrier: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.logger.warn('state of the carrier not written', { carrier, err: error });
    }
    this.known.delete(carrier);
  }

  private async read(carrier: string): Promise<KnownState> {
    const nowMs = performance.now();
    const known = this.known.get(carrier);
    if (known && nowMs - known.atMs <= FRESH_MS) return known;
    const state = { ...(await this.breakers.find(carrier)), atMs: nowMs };
    this.known.set(carrier, state);
    return state;
  }
}
