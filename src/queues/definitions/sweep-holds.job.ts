import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Voids money that is held for work whose process died. */
export const sweepHoldsJob = defineJob({
  name: 'sweep-holds',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 30_000,
});
