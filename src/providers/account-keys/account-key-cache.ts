import { LRUCache } from 'lru-cache';

/** A key that another process has changed or removed is used in this one for so long at most. */
const KEY_LIFETIME_MS = 10_000;
/** Of all accounts together, in the units of `sizeOf`. */
const CACHE_ROOM = 10_000;

interface Entry<Known> {
  readonly known: Known;
  readonly endsAtMs: number;
}

/** Where the cache looks up what it does not know. */
export interface AccountKeySource<Known> {
  /**
   * @param before what was known of the account last, if anything is: what is to be said while keys cannot be looked up
   * @throws the error of the failed look-up, where nothing is known of the account
   */
  read(userId: number, before: Known | undefined): Promise<Known>;
  /** How much room it takes: 1 for an account without a key. */
  sizeOf(known: Known): number;
}

/**
 * Caches the keys that accounts have brought. An entry is kept for ten seconds, so that a turn or a call costs no
 * look-up. A change made in this process takes effect at once.
 */
export class AccountKeyCache<Known> {
  private readonly entries: LRUCache<number, Entry<Known>>;
  /** Look-ups under way. A result is not kept if its entry is forgotten before it arrives. */
  private readonly lookUps = new Map<number, Promise<Known>>();

  /** @param nowMs of a clock that never goes back */
  constructor(
    private readonly source: AccountKeySource<Known>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.entries = new LRUCache({
      maxSize: CACHE_ROOM,
      sizeCalculation: ({ known }) => this.source.sizeOf(known),
    });
  }

  /** What is known of an account is looked up anew. */
  forget(userId: number): void {
    this.entries.delete(userId);
    this.lookUps.delete(userId);
  }

  /** @throws what the source throws */
  async find(userId: number): Promise<Known> {
    const entry = this.entries.get(userId);
    if (entry && entry.endsAtMs > this.nowMs()) return entry.known;
    const running = this.lookUps.get(userId);
    if (running) return running;
    const lookUp = this.lookUp(userId, entry?.known, () => this.lookUps.get(userId) === lookUp);
    this.lookUps.set(userId, lookUp);
    try {
      return await lookUp;
    } finally {
      if (this.lookUps.get(userId) === lookUp) this.lookUps.delete(userId);
    }
  }

  /** @param isCurrent whether nothing was changed since it began */
  private async lookUp(userId: number, before: Known | undefined, isCurrent: () => boolean): Promise<Known> {
    const endsAtMs = this.nowMs() + KEY_LIFETIME_MS;
    const known = await this.source.read(userId, before);
    if (isCurrent()) this.entries.set(userId, { known, endsAtMs });
    return known;
  }
}
