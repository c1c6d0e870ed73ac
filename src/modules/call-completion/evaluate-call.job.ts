import { z } from 'zod';
import { defineJob } from '../../queues/job-definition.js';

/** Does the work after a call, and completes it. Most of it is waiting for a model. */
export const evaluateCallJob = defineJob({
  name: 'evaluate-call',
  schema: z.object({ callId: z.number().int() }),
  retry: { attempts: 5, backoffMs: 2_000 },
  concurrency: 32,
  whilePaused: 'runs',
});
