import { z } from 'zod';
import { defineJob } from '../../queues/job-definition.js';

/** Tells a lead how its call ended. */
export const leadOutcomeJob = defineJob({
  name: 'lead-outcome',
  schema: z.object({ callId: z.int() }),
  retry: { attempts: 5, backoffMs: 500 },
  concurrency: 8,
  whilePaused: 'waits',
});
