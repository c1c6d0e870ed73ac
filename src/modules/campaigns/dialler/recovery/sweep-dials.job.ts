import { defineSweep } from '#src/queues/job-definition.js';

/** Finds what a dead process left: attempts half sent, ended calls whose leads were not told, campaigns not completed. */
export const sweepDialsJob = defineSweep({ name: 'sweep-dials', everyMs: 15_000 });
