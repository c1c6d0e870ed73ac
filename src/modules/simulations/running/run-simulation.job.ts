import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/**
 * Plays one run of a simulation. Can be run again at any time: a run that is over, or is played elsewhere, is left
 * alone.
 */
export const runSimulationJob = defineJob({
  name: 'run-simulation',
  schema: z.object({ runId: z.number().int().positive() }),
  retry: { attempts: 3, backoffMs: 3_000 },
  concurrency: 8,
  whilePaused: 'runs',
});
