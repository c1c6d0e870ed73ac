import { defineSweep } from '../../queues/job-definition.js';

/** Forgets the answers of idempotency keys that are older than a day. */
export const sweepIdempotencyKeysJob = defineSweep({
  name: 'sweep-idempotency-keys',
  everyMs: 600_000,
  whilePaused: 'runs',
});
