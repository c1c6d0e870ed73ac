import { z } from 'zod';
import { defineJob } from '../../../queues/job-definition.js';

/** Does the work after the end of a conversation: its evaluation and its webhook. Most of it is waiting for a model. */
export const concludeConversationJob = defineJob({
  name: 'conclude-conversation',
  schema: z.object({ conversationId: z.uuid() }),
  retry: { attempts: 5, backoffMs: 2_000 },
  concurrency: 32,
  whilePaused: 'runs',
});
