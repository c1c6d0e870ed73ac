import { defineSweep } from '../../../queues/job-definition.js';

/** Finds documents whose words an older version has indexed. */
export const reindexWordsJob = defineSweep({ name: 'reindex-words', everyMs: 60_000, whilePaused: 'runs' });
