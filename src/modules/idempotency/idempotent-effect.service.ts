import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import { IdempotencyKeysRepository, type Lease } from './idempotency-keys.repository.js';
import { RequestStillRunningError } from './idempotency.errors.js';

/** How something is made, named, and found again. */
export interface Effect<T> {
  make(): Promise<T>;
  /** A short name of what was made, such as its id. */
  referenceOf(made: T): string;
  recall(reference: string): Promise<T>;
}

/**
 * Ties the effect of a request to its Idempotency-Key, in the transaction of the effect. The effect is thus there
 * once, even if processes die or freeze, and a repetition of the request finds it.
 */
@Injectable()
export class IdempotentEffectService {
  private readonly current = new AsyncLocalStorage<Lease>();

  constructor(private readonly keys: IdempotencyKeysRepository) {}

  /** Whether the current request has an Idempotency-Key. */
  get isKeyed(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** Runs a request's work under its lease. */
  within<T>(lease: Lease, work: () => T): T {
    return this.current.run(lease, work);
  }

  /**
   * Makes the effect, or recalls it when an earlier run of the same request has made it. Call it once a request, inside
   * the transaction of the effect and around all of it, checks of limits included. Without a key it simply makes.
   *
   * @throws RequestStillRunningError when another process has taken the request over: the transaction must not commit
   */
  async once<T>(tx: Tx, effect: Effect<T>): Promise<T> {
    const lease = this.current.getStore();
    if (!lease) return effect.make();
    const earlier = await this.keys.lockEffect(lease, tx);
    if (earlier === undefined) throw new RequestStillRunningError();
    if (earlier !== null) return effect.recall(earlier);
    const made = await effect.make();
    await this.keys.recordEffect(lease, effect.referenceOf(made), tx);
    return made;
  }

  /** What an earlier run of the same request has made, for work that must not even begin then; null without a key. */
  async earlier(): Promise<string | null> {
    const lease = this.current.getStore();
    return lease ? this.keys.findEffect(lease) : null;
  }

  /**
   * Names the effect in the transaction that makes it, where {@link once} cannot enclose all of the work. A later
   * transaction of the same request that adds to it names it anew. Without a key it does nothing.
   *
   * @throws RequestStillRunningError when another process has taken the request over: the transaction must not commit
   */
  async extend(tx: Tx, reference: string): Promise<void> {
    const lease = this.current.getStore();
    if (!lease) return;
    if ((await this.keys.lockEffect(lease, tx)) === undefined) throw new RequestStillRunningError();
    await this.keys.recordEffect(lease, reference, tx);
  }
}
