import { defineSweep } from '#src/queues/job-definition.js';

/**
 * Finds what a dead process left: unfinished attempts, ended calls without a lead outcome, campaigns not completed.
 */
export const sweepDialsJob = defineSweep({ name: 'sweep-dials', everyMs: 15_000, whilePaused: 'waits' });
