import { defineSweep } from '#src/queues/job-definition.js';

/** Deletes attempts at leads that were settled long ago. */
export const sweepSettledAttemptsJob = defineSweep({
  name: 'sweep-settled-attempts',
  everyMs: 600_000,
  whilePaused: 'waits',
});
