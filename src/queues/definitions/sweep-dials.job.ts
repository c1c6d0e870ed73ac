import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Finds what a dead process left: attempts half sent, ended calls whose leads were not told, campaigns not completed. */
export const sweepDialsJob = defineJob({
  name: 'sweep-dials',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 15_000,
});
