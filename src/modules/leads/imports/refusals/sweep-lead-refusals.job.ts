import { defineSweep } from '#src/queues/job-definition.js';

/** Forgets the rows that imports refused more than a week ago. */
export const sweepLeadRefusalsJob = defineSweep({
  name: 'sweep-lead-refusals',
  everyMs: 3_600_000,
  whilePaused: 'waits',
});
