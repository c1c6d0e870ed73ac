import { defineSweep } from '../../../queues/job-definition.js';

/** Deletes offers of calls that are over. */
export const sweepTransferOffersJob = defineSweep({
  name: 'sweep-transfer-offers',
  everyMs: 600_000,
  whilePaused: 'waits',
});
