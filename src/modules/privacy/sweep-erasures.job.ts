import { defineSweep } from '../../queues/job-definition.js';

/** Continues erasures: new ones, those that wait for a call to end, and those whose process died. */
export const sweepErasuresJob = defineSweep({
  name: 'sweep-erasures',
  everyMs: 10_000,
  whilePaused: 'waits',
});
