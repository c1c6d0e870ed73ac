import { z } from 'zod';
import { defineJob } from '../../queues/job-definition.js';

/** Makes a worker handle a call: dial it, or monitor it when no process does. */
export const dialCallJob = defineJob({
  name: 'dial-call',
  schema: z.object({ callId: z.number().int() }),
  retry: { attempts: 3, backoffMs: 1_000 },
  concurrency: 8,
  whilePaused: 'waits',
});
