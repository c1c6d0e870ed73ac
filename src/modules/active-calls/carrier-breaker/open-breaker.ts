import type { CarrierTrouble } from './carrier-breaker.entity.js';

/** A breaker that is not closed. */
export interface OpenBreaker {
  readonly state: 'open' | 'half-open';
  readonly reason: CarrierTrouble;
  readonly openedAt: Date;
  readonly retryAt: Date;
  /** Until `retryAt`, by the clock of the database. */
  readonly retryInMs: number;
}

/** For `Retry-After`: at least a second. */
export function secondsUntilRetry({ retryInMs }: OpenBreaker): number {
  return Math.max(1, Math.ceil(retryInMs / 1_000));
}
