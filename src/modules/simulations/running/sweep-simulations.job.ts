import { defineSweep } from '../../../queues/job-definition.js';

/** Continues simulations whose process died or whose jobs were lost, and deletes old ones. */
export const sweepSimulationsJob = defineSweep({
  name: 'sweep-simulations',
  everyMs: 10_000,
  whilePaused: 'runs',
});
