import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Deletes stored files whose documents are gone, or never came to be. */
export const deleteFilesJob = defineJob({
  name: 'delete-files',
  schema: z.object({}),
  retry: { attempts: 3, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 30_000,
});
