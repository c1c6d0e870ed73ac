import { defineSweep } from '../../queues/job-definition.js';

/** Deletes expired data of visitor limits, and conversations without a message of the visitor. */
export const sweepVisitorsJob = defineSweep({
  name: 'sweep-visitors',
  everyMs: 600_000,
  whilePaused: 'runs',
});
