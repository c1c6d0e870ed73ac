import { defineSweep } from '../../../queues/job-definition.js';

/** Deletes events whose handler failed for the last time a week ago. */
export const sweepPluginEventsJob = defineSweep({
  name: 'sweep-plugin-events',
  everyMs: 600_000,
  whilePaused: 'waits',
});
