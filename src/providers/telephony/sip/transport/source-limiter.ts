/** A token bucket: `perSecond` on average, `burst` at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface SourceLimits {
  /** Each address nobody knows. */
  readonly stranger: RateLimit;
  /** All of them together, as senders of datagrams can be forged. */
  readonly strangers: RateLimit;
  /** Each address that belongs to a trunk or has proven who it is. */
  readonly known: RateLimit;
  /** Addresses kept in mind, of each kind. */
  readonly sources: number;
}

export const SOURCE_LIMITS: SourceLimits = {
  stranger: { perSecond: 10, burst: 30 },
  strangers: { perSecond: 200, burst: 400 },
  known: { perSecond: 2_000, burst: 4_000 },
  sources: 4_096,
};

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Decides by the address alone whether a message is read at all, before it is parsed. Takes memory for a bounded number of
 * addresses; the one that was quiet for longest is forgotten.
 */
export class SourceLimiter {
  private readonly strangers = new Map<string, Bucket>();
  private readonly known = new Map<string, Bucket>();
  private readonly all: Bucket;

  constructor(
    private readonly nowMs: () => number,
    private readonly limits: SourceLimits = SOURCE_LIMITS,
  ) {
    this.all = { tokens: limits.strangers.burst, atMs: nowMs() };
  }

  /** From now on the address counts as known, until others have pushed it out. */
  know(address: string): void {
    if (this.known.has(address)) return;
    this.strangers.delete(address);
    this.known.set(address, { tokens: this.limits.known.burst, atMs: this.nowMs() });
    evict(this.known, this.limits.sources);
  }

  isKnown(address: string): boolean {
    return this.known.has(address);
  }

  allow(address: string): boolean {
    const known = this.known.get(address);
    if (known) {
      this.known.delete(address);
      this.known.set(address, known);
      return this.take(known, this.limits.known);
    }
    const bucket = this.strangers.get(address) ?? { tokens: this.limits.stranger.burst, atMs: this.nowMs() };
    this.strangers.delete(address);
    this.strangers.set(address, bucket);
    evict(this.strangers, this.limits.sources);
    // The common bucket comes second, so that one loud source does not empty it for the others.
    return this.take(bucket, this.limits.stranger) && this.take(this.all, this.limits.strangers);
  }

  private take(bucket: Bucket, limit: RateLimit): boolean {
    const now = this.nowMs();
    bucket.tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.atMs) / 1_000) * limit.perSecond);
    bucket.atMs = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

/** Maps keep insertion order, and every use inserts again. */
function evict(buckets: Map<string, Bucket>, most: number): void {
  if (buckets.size <= most) return;
  const oldest = buckets.keys().next();
  if (!oldest.done) buckets.delete(oldest.value);
}
