import { defineSweep } from '../../../queues/job-definition.js';

/** Deletes holds that were settled long ago: what they came to is in the ledger. */
export const sweepSettledHoldsJob = defineSweep({
  name: 'sweep-settled-holds',
  everyMs: 600_000,
  whilePaused: 'waits',
});
