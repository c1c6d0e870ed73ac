import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/** Hangs up the calls of campaigns that were stopped. The calls are marked; a sweep finds those of a lost job. */
export const endCallsJob = defineJob({
  name: 'end-calls',
  schema: z.object({}),
  retry: { attempts: 3, backoffMs: 500 },
  concurrency: 2,
  whilePaused: 'waits',
});
