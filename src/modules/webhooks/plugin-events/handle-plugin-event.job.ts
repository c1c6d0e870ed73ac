import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/** Runs the handler of a plugin for one event. The attempts span a little more than an hour. */
export const handlePluginEventJob = defineJob({
  name: 'handle-plugin-event',
  schema: z.object({ id: z.string() }),
  retry: { attempts: 12, backoffMs: 2_000 },
  concurrency: 8,
  whilePaused: 'waits',
});
