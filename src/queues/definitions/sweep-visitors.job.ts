import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Deletes what limits on visitors do not need any more, and conversations in which nobody has written. */
export const sweepVisitorsJob = defineJob({
  name: 'sweep-visitors',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 600_000,
});
