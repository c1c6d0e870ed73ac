import { defineSweep } from '../../../queues/job-definition.js';

/** Ends conversations that were idle for as long as their assistants wait, and completes ends whose job was lost. */
export const endIdleConversationsJob = defineSweep({
  name: 'end-idle-conversations',
  everyMs: 30_000,
  whilePaused: 'runs',
});
