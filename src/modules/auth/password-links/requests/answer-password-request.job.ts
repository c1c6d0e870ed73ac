import { z } from 'zod';
import { defineJob } from '#src/queues/job-definition.js';

/** Makes the link that a person has asked for, and queues its e-mail. */
export const answerPasswordRequestJob = defineJob({
  name: 'answer-password-request',
  schema: z.object({ requestId: z.uuid() }),
  retry: { attempts: 5, backoffMs: 2_000 },
  concurrency: 2,
  whilePaused: 'waits',
});
