import { defineSweep } from '../../../queues/job-definition.js';

/** Continues deletions of accounts that wait for something, or whose process died. */
export const sweepAccountDeletionsJob = defineSweep({
  name: 'sweep-account-deletions',
  everyMs: 10_000,
  whilePaused: 'waits',
});
