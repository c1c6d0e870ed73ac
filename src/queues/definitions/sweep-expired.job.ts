import { defineSweep } from '../job-definition.js';

/** Deletes what has been over for longer than it is kept: settled holds, attempts at leads, sessions, traces of logins. */
export const sweepExpiredJob = defineSweep({ name: 'sweep-expired', everyMs: 600_000 });
