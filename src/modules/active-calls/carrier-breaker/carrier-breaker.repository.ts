import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { CarrierTrouble } from './carrier-breaker.entity.js';
import type { OpenBreaker } from './open-breaker.js';

export interface Failure {
  readonly trouble: CarrierTrouble;
  /** How long the carrier wants to be left alone; null when it has not said so. */
  readonly waitMs: number | null;
  /** It was the one call that tried whether the carrier is back. */
  readonly isProbe: boolean;
}

export interface BreakerRules {
  /** So many failures in a row open it. */
  readonly threshold: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

/** All moments are the database's own. */
@Injectable()
export class CarrierBreakerRepository {
  constructor(private readonly database: Database) {}

  /** Null while the breaker is closed; `failures` tells whether a success has something to forget. */
  async find(carrier: string): Promise<{ failures: number; open: OpenBreaker | null }> {
    const [row] = await this.database.readPrepared<OpenBreaker & { failures: number }>(
      `SELECT failures, reason, opened_at AS "openedAt", retry_at AS "retryAt",
         CASE WHEN retry_at > now() THEN 'open' WHEN retry_at IS NOT NULL THEN 'half-open' END AS state,
         greatest(0, extract(epoch FROM retry_at - now()) * 1000)::float8 AS "retryInMs"
       FROM carrier_breakers WHERE carrier = $1`,
      [carrier],
    );
    if (!row) return { failures: 0, open: null };
    const { failures, ...open } = row;
    return { failures, open: open.retryAt === null ? null : open };
  }

  /** Of all processes that want to try whether the carrier is back, one may: until the lease ends, or it tells. */
  takeProbe(carrier: string, leaseMs: number): Promise<boolean> {
    return this.database.matches(
      `UPDATE carrier_breakers SET retry_at = now() + $2 * interval '1 millisecond'
       WHERE carrier = $1 AND retry_at <= now() RETURNING carrier`,
      [carrier, leaseMs],
    );
  }

  /**
   * Counts a call that the carrier did not take. Enough of them in a row open the breaker, as does the word of the
   * carrier. While it is open, only the probe counts: calls that were sent before it opened say nothing new.
   */
  async recordFailure(
    carrier: string,
    { trouble, waitMs, isProbe }: Failure,
    rules: BreakerRules,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO carrier_breakers AS b (carrier, failures, reason, opened_at, retry_at)
       VALUES ($1, 1, $2,
         CASE WHEN $3::float8 IS NOT NULL OR $5 <= 1 THEN now() END,
         CASE WHEN $3::float8 IS NOT NULL OR $5 <= 1 THEN now() + coalesce($3, $6) * interval '1 millisecond' END)
       ON CONFLICT (carrier) DO UPDATE SET
         failures = b.failures + CASE WHEN b.retry_at IS NULL THEN 1 ELSE 0 END,
         failed_probes = b.failed_probes + CASE WHEN $4 THEN 1 ELSE 0 END,
         reason = $2,
         opened_at = CASE WHEN b.retry_at IS NOT NULL OR $3::float8 IS NOT NULL OR b.failures + 1 >= $5
           THEN coalesce(b.opened_at, now()) END,
         retry_at = CASE
           WHEN $3::float8 IS NOT NULL
             THEN greatest(CASE WHEN $4 THEN NULL ELSE b.retry_at END, now() + $3 * interval '1 millisecond')
           WHEN $4 THEN now() + least($7, $6 * power(2, least(b.failed_probes + 1, 20))) * interval '1 millisecond'
           WHEN b.retry_at IS NOT NULL THEN b.retry_at
           WHEN b.failures + 1 >= $5 THEN now() + $6 * interval '1 millisecond' END`,
      [carrier, trouble, waitMs, isProbe, rules.threshold, rules.firstWaitMs, rules.maxWaitMs],
    );
  }

  /** A call was taken. An open breaker closes by its probe alone; what was sent before it opened does not count. */
  async recordSuccess(carrier: string, isProbe: boolean): Promise<void> {
    await this.database.query(
      `UPDATE carrier_breakers
       SET failures = 0, failed_probes = 0, reason = NULL, opened_at = NULL, retry_at = NULL
       WHERE carrier = $1 AND ($2 OR retry_at IS NULL)`,
      [carrier, isProbe],
    );
  }
}
