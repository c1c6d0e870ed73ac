import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/** Makes an archive of an account. One whose process dies is begun anew by the sweep. */
export const runAccountExportJob = defineJob({
  name: 'run-account-export',
  schema: z.object({ exportId: z.number().int().positive() }),
  retry: { attempts: 1, backoffMs: 5_000 },
  concurrency: 1,
  whilePaused: 'runs',
});
