import { defineSweep } from '../../queues/job-definition.js';

/** Has e-mails sent whose job was lost, and deletes those of earlier days. */
export const sweepEmailsJob = defineSweep({ name: 'sweep-emails', everyMs: 60_000, whilePaused: 'waits' });
