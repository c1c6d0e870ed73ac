import { LRUCache } from 'lru-cache';
import type { Principal } from '../../common/auth/principal.js';

/** A deleted key must be refused within a second by every process. */
const LIFETIME_MS = 900;
const CAPACITY = 10_000;

interface RecentKey {
  readonly caller: Principal;
  readonly endsAtMs: number;
}

/**
 * Keys that were valid a moment ago, so that a busy key is looked up about once a second. A deletion here is
 * followed at once; a deletion by another process within the lifetime, which begins before the look-up.
 */
export class RecentKeys {
  private readonly keys = new LRUCache<string, RecentKey>({ max: CAPACITY });
  private deletions = 0;

  /** @param lookUp asks the database; its null is not remembered */
  async get(tokenHash: Buffer, lookUp: () => Promise<Principal | null>): Promise<Principal | null> {
    const name = tokenHash.toString('base64');
    const askedAtMs = performance.now();
    const recent = this.keys.get(name);
    if (recent && recent.endsAtMs > askedAtMs) return recent.caller;
    const { deletions } = this;
    const caller = await lookUp();
    // The look-up may have been overtaken by a deletion.
    if (caller && deletions === this.deletions) {
      this.keys.set(name, { caller, endsAtMs: askedAtMs + LIFETIME_MS });
    }
    return caller;
  }

  forgetAll(): void {
    this.deletions++;
    this.keys.clear();
  }
}
