import { defineSweep } from '../../../queues/job-definition.js';

/** Indexes the words of calls from before the search existed. */
export const indexCallWordsJob = defineSweep({
  name: 'index-call-words',
  everyMs: 60_000,
  whilePaused: 'runs',
});
