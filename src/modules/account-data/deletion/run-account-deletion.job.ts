import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/** Continues the deletion of an account. Can be run again at any time: deleted rows are not found again. */
export const runAccountDeletionJob = defineJob({
  name: 'run-account-deletion',
  schema: z.object({ deletionId: z.number().int().positive() }),
  retry: { attempts: 3, backoffMs: 5_000 },
  concurrency: 1,
  whilePaused: 'waits',
});
