import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Deletes what has been over for longer than it is kept: settled holds, attempts at leads, sessions, traces of logins. */
export const sweepExpiredJob = defineJob({
  name: 'sweep-expired',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 600_000,
});
