import { defineSweep } from '../../../queues/job-definition.js';

/** Goes on with exports whose process died, and deletes those that are old. */
export const sweepAccountExportsJob = defineSweep({ name: 'sweep-account-exports', everyMs: 30_000 });
