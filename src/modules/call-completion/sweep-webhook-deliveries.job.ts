import { defineSweep } from '../../queues/job-definition.js';

/** Deletes webhook deliveries that have been over for longer than they are kept. */
export const sweepWebhookDeliveriesJob = defineSweep({
  name: 'sweep-webhook-deliveries',
  everyMs: 600_000,
  whilePaused: 'waits',
});
