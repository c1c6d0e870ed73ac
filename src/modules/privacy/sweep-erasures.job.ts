import { defineSweep } from '../../queues/job-definition.js';

/** Goes on with erasures that wait for a call to end, or whose process died. */
export const sweepErasuresJob = defineSweep({ name: 'sweep-erasures', everyMs: 10_000 });
