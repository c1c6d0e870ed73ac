import { defineSweep } from '../../queues/job-definition.js';

/** Deletes parts of files whose process was killed while it stored them. Looks at every file, so it runs once a day. */
export const sweepUnfinishedFilesJob = defineSweep({
  name: 'sweep-unfinished-files',
  everyMs: 86_400_000,
  whilePaused: 'waits',
});
