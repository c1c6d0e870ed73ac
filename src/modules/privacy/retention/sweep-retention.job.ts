import { defineSweep } from '../../../queues/job-definition.js';

/** Takes out of calls and conversations what is older than it is kept. */
export const sweepRetentionJob = defineSweep({
  name: 'sweep-retention',
  everyMs: 600_000,
  whilePaused: 'waits',
});
