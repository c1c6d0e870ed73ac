import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Finds documents whose job was lost, and files that readings left behind. */
export const sweepDocumentsJob = defineJob({
  name: 'sweep-documents',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 60_000,
});
