import { defineSweep } from '../../../queues/job-definition.js';

/** Continues exports whose process died, and deletes those that are old. */
export const sweepAccountExportsJob = defineSweep({
  name: 'sweep-account-exports',
  everyMs: 30_000,
  whilePaused: 'runs',
});
