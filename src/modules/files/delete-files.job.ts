import { defineSweep } from '../../queues/job-definition.js';

/** Deletes stored files whose owners are gone, or never came to be. */
export const deleteFilesJob = defineSweep({ name: 'delete-files', everyMs: 30_000, whilePaused: 'waits' });
