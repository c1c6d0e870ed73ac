import { deleteFilesJob } from './modules/files/delete-files.job.js';
import { deliverWebhooksJob } from './modules/webhooks/deliver-webhooks.job.js';
import { dialCallJob } from './modules/calls/session/dial-call.job.js';
import { dialCampaignsJob } from './modules/campaigns/dialler/dial-campaigns.job.js';
import { endCallsJob } from './modules/calls/session/end-calls.job.js';
import { endIdleConversationsJob } from './modules/conversations/end-idle-conversations.job.js';
import { evaluateCallJob } from './modules/calls/completion/evaluate-call.job.js';
import { ingestDocumentJob } from './modules/knowledgebases/ingestion/ingest-document.job.js';
import { leadOutcomeJob } from './modules/calls/completion/lead-outcome.job.js';
import { runErasureJob } from './modules/privacy/run-erasure.job.js';
import { sweepErasuresJob } from './modules/privacy/sweep-erasures.job.js';
import { sweepAuditLogJob } from './modules/audit/sweep-audit-log.job.js';
import { sweepRetentionJob } from './modules/privacy/retention/sweep-retention.job.js';
import { sweepCallsJob } from './modules/calls/session/sweep-calls.job.js';
import { sweepCarrierOrdersJob } from './modules/phone-numbers/sweep-carrier-orders.job.js';
import { sweepDialsJob } from './modules/campaigns/dialler/sweep-dials.job.js';
import { sweepDocumentsJob } from './modules/knowledgebases/sweep-documents.job.js';
import { sweepLoginsJob } from './modules/auth/sweep-logins.job.js';
import { sweepSettledHoldsJob } from './modules/billing/sweep-settled-holds.job.js';
import { sweepSettledAttemptsJob } from './modules/campaigns/dialler/sweep-settled-attempts.job.js';
import { sweepHoldsJob } from './modules/billing/sweep-holds.job.js';
import { sweepIdempotencyKeysJob } from './modules/idempotency/sweep-idempotency-keys.job.js';
import { sweepRecordingsJob } from './modules/calls/recordings/sweep-recordings.job.js';
import { sweepVisitorsJob } from './modules/conversations/sweep-visitors.job.js';
import { sweepWebhookDeliveriesJob } from './modules/calls/completion/sweep-webhook-deliveries.job.js';
import type { JobDefinition } from './queues/job-definition.js';

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
  runErasureJob,
  sweepAuditLogJob,
  sweepCallsJob,
  sweepCarrierOrdersJob,
  sweepDialsJob,
  sweepDocumentsJob,
  sweepErasuresJob,
  sweepLoginsJob,
  sweepRecordingsJob,
  sweepRetentionJob,
  sweepSettledAttemptsJob,
  sweepSettledHoldsJob,
  sweepHoldsJob,
  sweepIdempotencyKeysJob,
  sweepVisitorsJob,
  sweepWebhookDeliveriesJob,
];
