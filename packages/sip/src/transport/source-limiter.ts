/** A token bucket: `perSecond` on average, `burst` at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface SourceLimits {
  /** Each address that is not known. */
  readonly stranger: RateLimit;
  /** All of them together, as senders of datagrams can be forged. */
  readonly strangers: RateLimit;
  /** Each address that a trunk lists or has registered at, and each that requests are sent to. */
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
  /** Whether an address is known for as long as this says so, however many others there are. */
  isListed: (address: string) => boolean = () => false;
  private readonly strangers = new Map<string, Bucket>();
  /** Of known addresses. */
  private readonly buckets = new Map<string, Bucket>();
  /** Addresses that requests are sent to, the latest last. */
  private readonly expected = new Map<string, true>();
  private readonly all: Bucket;

  constructor(
    private readonly nowMs: () => number,
    private readonly limits: SourceLimits = SOURCE_LIMITS,
  ) {
    this.all = { tokens: limits.strangers.burst, atMs: nowMs() };
  }

  /** From now on the address counts as known, until others have pushed it out. */
  know(address: string): void {
    renew(this.expected, address, true, this.limits.sources);
  }

  isKnown(address: string): boolean {
    return this.expected.has(address) || this.isListed(address);
  }

  allow(address: string): boolean {
    const { known, stranger, sources } = this.limits;
    if (this.isKnown(address)) {
      const bucket = this.buckets.get(address) ?? { tokens: known.burst, atMs: this.nowMs() };
      renew(this.buckets, address, bucket, sources);
      return this.take(bucket, known);
    }
    const bucket = this.strangers.get(address) ?? { tokens: stranger.burst, atMs: this.nowMs() };
    renew(this.strangers, address, bucket, sources);
    // The common bucket comes second, so that one loud source does not empty it for the others.
    return this.take(bucket, stranger) && this.take(this.all, this.limits.strangers);
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

/** Puts an entry last, and drops the first one beyond the limit: maps keep the order of insertion. */
function renew<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
