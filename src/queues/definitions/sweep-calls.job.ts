import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Finds calls whose process died, whose job was lost, or whose time is over. */
export const sweepCallsJob = defineJob({
  name: 'sweep-calls',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 5_000,
});
