import { defineSweep } from '../../../queues/job-definition.js';

/** Finds documents whose job was lost. */
export const sweepDocumentsJob = defineSweep({
  name: 'sweep-documents',
  everyMs: 60_000,
  whilePaused: 'runs',
});
