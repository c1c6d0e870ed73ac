import { z } from 'zod';
import { defineJob } from '../../queues/job-definition.js';

/** Hands an e-mail to the mail server. The attempts of one job take about three hours; the sweep begins another one. */
export const sendEmailJob = defineJob({
  name: 'send-email',
  schema: z.object({ emailId: z.uuid() }),
  retry: { attempts: 12, backoffMs: 5_000 },
  concurrency: 4,
  whilePaused: 'waits',
});
