import { defineSweep } from '../../../queues/job-definition.js';

/** Ends conversations in which nobody has written for as long as their assistants wait, and takes up ends whose job was lost. */
export const endIdleConversationsJob = defineSweep({ name: 'end-idle-conversations', everyMs: 30_000 });
