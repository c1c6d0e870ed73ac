import { deleteFilesJob } from './definitions/delete-files.job.js';
import { deliverWebhooksJob } from './definitions/deliver-webhooks.job.js';
import { dialCallJob } from './definitions/dial-call.job.js';
import { dialCampaignsJob } from './definitions/dial-campaigns.job.js';
import { endCallsJob } from './definitions/end-calls.job.js';
import { endIdleConversationsJob } from './definitions/end-idle-conversations.job.js';
import { evaluateCallJob } from './definitions/evaluate-call.job.js';
import { ingestDocumentJob } from './definitions/ingest-document.job.js';
import { leadOutcomeJob } from './definitions/lead-outcome.job.js';
import { sweepCallsJob } from './definitions/sweep-calls.job.js';
import { sweepCarrierOrdersJob } from './definitions/sweep-carrier-orders.job.js';
import { sweepDialsJob } from './definitions/sweep-dials.job.js';
import { sweepDocumentsJob } from './definitions/sweep-documents.job.js';
import { sweepExpiredJob } from './definitions/sweep-expired.job.js';
import { sweepHoldsJob } from './definitions/sweep-holds.job.js';
import { sweepIdempotencyKeysJob } from './definitions/sweep-idempotency-keys.job.js';
import { sweepVisitorsJob } from './definitions/sweep-visitors.job.js';
import { sweepWebhookDeliveriesJob } from './definitions/sweep-webhook-deliveries.job.js';
import { type JobDefinition, MAINTENANCE_QUEUE } from './job-definition.js';

/** Every kind of job there is. The worker role refuses to start when one has no processor. */
export const jobDefinitions: readonly JobDefinition[] = [
  deleteFilesJob,
  deliverWebhooksJob,
  dialCallJob,
  dialCampaignsJob,
  endCallsJob,
  endIdleConversationsJob,
  evaluateCallJob,
  ingestDocumentJob,
  leadOutcomeJob,
  sweepCallsJob,
  sweepCarrierOrdersJob,
  sweepDialsJob,
  sweepDocumentsJob,
  sweepExpiredJob,
  sweepHoldsJob,
  sweepIdempotencyKeysJob,
  sweepVisitorsJob,
  sweepWebhookDeliveriesJob,
];

/** Where a job waits once somebody asks for it. */
export function queueOf({ name, isSweep }: JobDefinition): string {
  return isSweep ? MAINTENANCE_QUEUE : name;
}

export const queueNames: readonly string[] = [
  ...new Set([...jobDefinitions.map(queueOf), MAINTENANCE_QUEUE]),
];

/** The intervals at which something runs, in milliseconds. */
export const intervals: readonly number[] = [
  ...new Set(jobDefinitions.flatMap(({ everyMs }) => everyMs ?? [])),
];

/** The job that an interval is: one for all definitions that share it, as each job costs a dozen statements. */
export function intervalJobName(everyMs: number): string {
  return `every-${everyMs}-ms`;
}

/** What a job of the maintenance queue stands for: an interval, or a definition that was asked for. */
export function definitionNamesOf(jobName: string): readonly string[] {
  const everyMs = intervals.find((interval) => intervalJobName(interval) === jobName);
  if (everyMs === undefined) return [jobName];
  return jobDefinitions.filter((definition) => definition.everyMs === everyMs).map(({ name }) => name);
}
