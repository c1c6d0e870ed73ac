import { defineSweep } from '../../../queues/job-definition.js';

/** Gives numbers back whose purchase or release did not come to an end. */
export const sweepCarrierOrdersJob = defineSweep({
  name: 'sweep-carrier-orders',
  everyMs: 60_000,
  whilePaused: 'waits',
});
