import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Gives numbers back whose purchase or release did not come to an end. */
export const sweepCarrierOrdersJob = defineJob({
  name: 'sweep-carrier-orders',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 60_000,
});
