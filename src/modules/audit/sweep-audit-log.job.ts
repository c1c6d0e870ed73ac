import { defineSweep } from '../../queues/job-definition.js';

/** Deletes entries of the audit log that are older than they are kept. */
export const sweepAuditLogJob = defineSweep({
  name: 'sweep-audit-log',
  everyMs: 600_000,
  whilePaused: 'waits',
});
