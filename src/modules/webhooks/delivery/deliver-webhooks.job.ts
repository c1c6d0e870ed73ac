import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/** Delivers webhooks that are due: a wake-up after an event, and a sweep for retries and for what a process left. */
export const deliverWebhooksJob = defineJob({
  name: 'deliver-webhooks',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  whilePaused: 'waits',
  everyMs: 5_000,
});
