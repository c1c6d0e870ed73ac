import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Ends conversations in which nobody has written for as long as their assistants wait. */
export const endIdleConversationsJob = defineJob({
  name: 'end-idle-conversations',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 30_000,
});
