import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/** Reads a document into passages, for one turn. Can be run again at any time: it continues where it stopped. */
export const ingestDocumentJob = defineJob({
  name: 'ingest-document',
  schema: z.object({ documentId: z.number().int().positive() }),
  retry: { attempts: 6, backoffMs: 5_000 },
  concurrency: 3,
  whilePaused: 'runs',
});

/** Of one account, so that a document of another one finds a place. */
export const MAX_READINGS_OF_ACCOUNT = ingestDocumentJob.concurrency - 1;
