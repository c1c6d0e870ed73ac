import { defineSweep } from '../../../queues/job-definition.js';

/** Deletes tokens to listen to calls that are over, and listeners whose process died. */
export const sweepCallMonitorsJob = defineSweep({
  name: 'sweep-call-monitors',
  everyMs: 600_000,
  whilePaused: 'waits',
});
