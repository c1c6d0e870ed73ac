import { z } from 'zod';
import { defineJob } from '../job-definition.js';

/** Forgets the answers of idempotency keys that are older than a day. */
export const sweepIdempotencyKeysJob = defineJob({
  name: 'sweep-idempotency-keys',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1_000 },
  concurrency: 1,
  everyMs: 600_000,
});
