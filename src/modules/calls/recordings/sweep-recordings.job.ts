import { defineSweep } from '../../../queues/job-definition.js';

/** Deletes recordings of calls that are older than they are kept. */
export const sweepRecordingsJob = defineSweep({
  name: 'sweep-recordings',
  everyMs: 600_000,
  whilePaused: 'waits',
});
