import { z } from 'zod';
import { defineJob } from '../../queues/job-definition.js';

/** Goes on with an erasure. Can be run again at any time: the row says how far it is. */
export const runErasureJob = defineJob({
  name: 'run-erasure',
  schema: z.object({ erasureId: z.number().int().positive() }),
  retry: { attempts: 3, backoffMs: 5_000 },
  concurrency: 1,
});
