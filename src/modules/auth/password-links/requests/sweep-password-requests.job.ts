import { defineSweep } from '#src/queues/job-definition.js';

/** Has requests answered whose job was lost, and deletes old ones. */
export const sweepPasswordRequestsJob = defineSweep({
  name: 'sweep-password-requests',
  everyMs: 60_000,
  whilePaused: 'waits',
});
