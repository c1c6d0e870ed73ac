import { Module } from '@nestjs/common';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { ToolMeter } from '../../runtime/tools/tool-meter.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { KnowledgebasesModule } from '../knowledgebases/knowledgebases.module.js';
import { McpServersModule } from '../mcp-servers/mcp-servers.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AssistantActivationRepository } from './activation/assistant-activation.repository.js';
import { AssistantActivationService } from './activation/assistant-activation.service.js';
import { AssistantChangesService } from './assistant-changes.service.js';
import { AssistantClosingService } from './deletion/assistant-closing.service.js';
import { AssistantDeletionService } from './deletion/assistant-deletion.service.js';
import { AssistantHistoriesService } from './deletion/assistant-histories.service.js';
import { AssistantCopiesService } from './assistant-copies.service.js';
import { AssistantKeysService } from './assistant-keys.service.js';
import { AssistantMcpToolsController } from './tools/assistant-mcp-tools.controller.js';
import { AssistantMcpToolsService } from './tools/assistant-mcp-tools.service.js';
import { AssistantNumbersService } from './numbers/assistant-numbers.service.js';
import { AssistantPromptsController } from './prompts/assistant-prompts.controller.js';
import { AssistantPromptsRepository } from './prompts/assistant-prompts.repository.js';
import { AssistantPromptsService } from './prompts/assistant-prompts.service.js';
import { AssistantReferencesService } from './assistant-references.service.js';
import { AssistantSnapshotsService } from './assistant-snapshots.service.js';
import { AssistantVariablesService } from './assistant-variables.service.js';
import { AssistantWebhooksController } from './assistant-webhooks.controller.js';
import { AssistantWebhooksService } from './assistant-webhooks.service.js';
import { AssistantsController } from './assistants.controller.js';
import { AssistantsRepository } from './assistants.repository.js';
import { AssistantsService } from './assistants.service.js';
import { InboundAssistantsRepository } from './numbers/inbound-assistants.repository.js';
import { LabelsController } from './labels/labels.controller.js';
import { LabelsRepository } from './labels/labels.repository.js';
import { LabelsService } from './labels/labels.service.js';
import { BoundToolsService } from './tools/bound-tools.service.js';
import { HandoffDestinationsRepository } from './tools/handoff-destinations.repository.js';
import { TransferNumbersService } from './tools/transfer-numbers.service.js';
import { VersionedAssistantsRepository } from './versioned-assistants.repository.js';

@Module({
  imports: [
    AccountsModule,
    AuditModule,
    CatalogModule,
    FoldersModule,
    KnowledgebasesModule,
    McpServersModule,
    PhoneNumbersModule,
    ToolsModule,
    WebhooksModule,
  ],
  controllers: [
    AssistantsController,
    AssistantMcpToolsController,
    AssistantPromptsController,
    AssistantWebhooksController,
    LabelsController,
  ],
  providers: [
    AssistantActivationRepository,
    AssistantActivationService,
    AssistantChangesService,
    AssistantClosingService,
    AssistantCopiesService,
    AssistantDeletionService,
    AssistantHistoriesService,
    AssistantKeysService,
    AssistantMcpToolsService,
    AssistantNumbersService,
    AssistantPromptsRepository,
    AssistantPromptsService,
    AssistantReferencesService,
    AssistantSnapshotsService,
    AssistantVariablesService,
    AssistantWebhooksService,
    AssistantsRepository,
    AssistantsService,
    BoundToolsService,
    HandoffDestinationsRepository,
    InboundAssistantsRepository,
    LabelsRepository,
    LabelsService,
    TransferNumbersService,
    VersionedAssistantsRepository,
    {
      provide: ToolMeter,
      useFactory: (metrics: MetricsService) => new ToolMeter(metrics),
      inject: [MetricsService],
    },
  ],
  exports: [
    AssistantActivationService,
    AssistantChangesService,
    AssistantClosingService,
    AssistantHistoriesService,
    AssistantPromptsService,
    AssistantSnapshotsService,
    AssistantVariablesService,
    AssistantsService,
    ToolMeter,
  ],
})
export class AssistantsModule {}
