import { defineSweep } from '../../queues/job-definition.js';

/** Ends verifications that were never started or whose process died, and deletes old ones. */
export const sweepNumberVerificationsJob = defineSweep({
  name: 'sweep-number-verifications',
  everyMs: 30_000,
  whilePaused: 'waits',
});
