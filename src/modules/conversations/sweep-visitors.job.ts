import { defineSweep } from '../../queues/job-definition.js';

/** Deletes what limits on visitors do not need any more, and conversations in which nobody has written. */
export const sweepVisitorsJob = defineSweep({ name: 'sweep-visitors', everyMs: 600_000 });
