import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/** Dials leads that are due, in all campaigns, and keeps at it while one runs. Starts wake it; the interval is for a process that died. */
export const dialCampaignsJob = defineJob({
  name: 'dial-campaigns',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 2,
  whilePaused: 'waits',
  everyMs: 5_000,
});
