import { defineSweep } from '../../queues/job-definition.js';

/** Finds calls whose process died, whose job was lost, or whose time is over. */
export const sweepCallsJob = defineSweep({ name: 'sweep-calls', everyMs: 5_000, whilePaused: 'waits' });
