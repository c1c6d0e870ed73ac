import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Dials whoever is due, in all campaigns. The beat is for retries and windows that open; starts and ends wake it as well. */
export const dialCampaignsJob = defineJob({
  name: 'dial-campaigns',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 2,
  everyMs: 1_000,
});
