import { defineSweep } from '../../../queues/job-definition.js';

/** Enqueues a job for each event that waits for a plugin: after a commit, and by interval for what a process left. */
export const enqueuePluginEventsJob = defineSweep({
  name: 'enqueue-plugin-events',
  everyMs: 5_000,
  whilePaused: 'waits',
});
