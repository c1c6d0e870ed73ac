import { defineSweep } from '../../../queues/job-definition.js';

/** Voids money that is held for work whose process died. */
export const sweepHoldsJob = defineSweep({ name: 'sweep-holds', everyMs: 30_000, whilePaused: 'runs' });
