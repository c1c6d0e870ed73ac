import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Deletes webhook deliveries that have been over for longer than they are kept. */
export const sweepWebhookDeliveriesJob = defineJob({
  name: 'sweep-webhook-deliveries',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 600_000,
});
