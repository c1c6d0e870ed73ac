import { Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { AuditModule } from './modules/audit/audit.module.js';
import { BillingModule } from './modules/billing/billing.module.js';
import { CallWorkersModule } from './modules/calls/call-workers.module.js';
import { CampaignsModule } from './modules/campaigns/campaigns.module.js';
import { ConversationsModule } from './modules/conversations/conversations.module.js';
import { FilesModule } from './modules/files/files.module.js';
import { KnowledgebasesModule } from './modules/knowledgebases/knowledgebases.module.js';
import { PhoneNumbersModule } from './modules/phone-numbers/phone-numbers.module.js';
import { PrivacyModule } from './modules/privacy/privacy.module.js';
import { VisitorsModule } from './modules/visitors/visitors.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { jobDefinitions } from './job-definitions.js';
import { type AnyProcessor, findProcessors } from './queues/job-processor.js';
import { JobMetricsService } from './queues/job-metrics.service.js';
import { JobsService } from './queues/jobs.service.js';
import { MaintenanceProcessor } from './queues/maintenance.processor.js';
import { QueueClockService } from './queues/queue-clock.service.js';
import { DeleteFilesProcessor } from './modules/files/delete-files.processor.js';
import { DeliverWebhooksProcessor } from './modules/webhooks/deliver-webhooks.processor.js';
import { DialCallProcessor } from './modules/calls/session/dial-call.processor.js';
import { DialCampaignsProcessor } from './modules/campaigns/dialler/dial-campaigns.processor.js';
import { EndCallsProcessor } from './modules/calls/session/end-calls.processor.js';
import { EndIdleConversationsProcessor } from './modules/conversations/end-idle-conversations.processor.js';
import { EvaluateCallProcessor } from './modules/calls/completion/evaluate-call.processor.js';
import { IngestDocumentProcessor } from './modules/knowledgebases/ingestion/ingest-document.processor.js';
import { LeadOutcomeProcessor } from './modules/campaigns/dialler/lead-outcome.processor.js';
import { RunErasureProcessor } from './modules/privacy/run-erasure.processor.js';
import { SweepErasuresProcessor } from './modules/privacy/sweep-erasures.processor.js';
import { SweepAuditLogProcessor } from './modules/audit/sweep-audit-log.processor.js';
import { SweepRetentionProcessor } from './modules/privacy/retention/sweep-retention.processor.js';
import { SweepCallsProcessor } from './modules/calls/session/sweep-calls.processor.js';
import { SweepCarrierOrdersProcessor } from './modules/phone-numbers/sweep-carrier-orders.processor.js';
import { SweepDialsProcessor } from './modules/campaigns/dialler/sweep-dials.processor.js';
import { SweepDocumentsProcessor } from './modules/knowledgebases/sweep-documents.processor.js';
import { SweepLoginsProcessor } from './modules/auth/sweep-logins.processor.js';
import { SweepSettledHoldsProcessor } from './modules/billing/sweep-settled-holds.processor.js';
import { SweepSettledAttemptsProcessor } from './modules/campaigns/dialler/sweep-settled-attempts.processor.js';
import { SweepHoldsProcessor } from './modules/billing/sweep-holds.processor.js';
import { SweepIdempotencyKeysProcessor } from './modules/idempotency/sweep-idempotency-keys.processor.js';
import { SweepRecordingsProcessor } from './modules/calls/recordings/sweep-recordings.processor.js';
import { SweepVisitorsProcessor } from './modules/conversations/sweep-visitors.processor.js';
import { SweepWebhookDeliveriesProcessor } from './modules/calls/completion/sweep-webhook-deliveries.processor.js';

/** The worker role: every processor, and the schedules of recurring jobs. */
@Module({
  imports: [
    AuditModule,
    BillingModule,
    CallWorkersModule,
    CampaignsModule,
    ConversationsModule,
    DiscoveryModule,
    FilesModule,
    KnowledgebasesModule,
    PhoneNumbersModule,
    PrivacyModule,
    VisitorsModule,
    WebhooksModule,
  ],
  providers: [
    DeleteFilesProcessor,
    DeliverWebhooksProcessor,
    DialCallProcessor,
    DialCampaignsProcessor,
    EndCallsProcessor,
    EndIdleConversationsProcessor,
    EvaluateCallProcessor,
    IngestDocumentProcessor,
    JobMetricsService,
    LeadOutcomeProcessor,
    MaintenanceProcessor,
    QueueClockService,
    RunErasureProcessor,
    SweepAuditLogProcessor,
    SweepCallsProcessor,
    SweepCarrierOrdersProcessor,
    SweepDialsProcessor,
    SweepDocumentsProcessor,
    SweepErasuresProcessor,
    SweepLoginsProcessor,
    SweepRecordingsProcessor,
    SweepRetentionProcessor,
    SweepSettledAttemptsProcessor,
    SweepSettledHoldsProcessor,
    SweepHoldsProcessor,
    SweepIdempotencyKeysProcessor,
    SweepVisitorsProcessor,
    SweepWebhookDeliveriesProcessor,
  ],
})
export class WorkersModule implements OnApplicationBootstrap, OnModuleDestroy {
  private processors: readonly AnyProcessor[] = [];

  constructor(
    private readonly jobs: JobsService,
    private readonly maintenance: MaintenanceProcessor,
    private readonly discovery: DiscoveryService,
  ) {}

  onApplicationBootstrap(): void {
    this.processors = findProcessors(this.discovery);
    this.refuseUnhandledJobs();
    this.jobs.keepScheduled();
  }

  /** Before anything else stops: a call that is dialled while calls are let go of would be answered by nobody. */
  async onModuleDestroy(): Promise<void> {
    const own = this.processors.filter(({ definition }) => !definition.isSweep);
    for (const { worker } of [this.maintenance, ...own]) await worker.pause(true);
  }

  private refuseUnhandledJobs(): void {
    const handled = this.processors.map(({ definition }) => definition.name);
    const wrong = jobDefinitions.filter(({ name }) => handled.filter((other) => other === name).length !== 1);
    if (wrong.length > 0) {
      throw new Error(`jobs need exactly one processor each: ${wrong.map(({ name }) => name).join(', ')}`);
    }
  }
}
