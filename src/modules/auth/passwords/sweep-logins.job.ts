import { defineSweep } from '../../../queues/job-definition.js';

/** Deletes sessions that have ended, and what is known of logins for longer than it is kept. */
export const sweepLoginsJob = defineSweep({ name: 'sweep-logins', everyMs: 600_000, whilePaused: 'runs' });
