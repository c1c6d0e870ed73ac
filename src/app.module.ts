import { type DynamicModule, Module } from '@nestjs/common';
import { CryptoModule } from './common/crypto/crypto.module.js';
import { EgressModule } from './common/egress/egress.module.js';
import { HttpModule } from './common/http/http.module.js';
import { IdempotencyModule } from './modules/idempotency/idempotency.module.js';
import { LimitsModule } from './common/limits/limits.module.js';
import { LiveModule } from './common/live/live.module.js';
import type { Logger } from './common/observability/logger.js';
import { LoggerModule } from './common/observability/logger.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/config.js';
import { shareConnections } from './database/connection-shares.js';
import { DatabaseModule } from './database/database.module.js';
import { jobDefinitions } from './job-definitions.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { AlertsModule } from './modules/alerts/alerts.module.js';
import { ApiKeysModule } from './modules/api-keys/api-keys.module.js';
import { AssistantsModule } from './modules/assistants/assistants.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { AuthModule } from './modules/auth/auth.module.js';
import { BillingModule } from './modules/billing/billing.module.js';
import { CampaignsModule } from './modules/campaigns/campaigns.module.js';
import { CallVoiceModule } from './modules/calls/call-voice.module.js';
import { CallsModule } from './modules/calls/calls.module.js';
import { CatalogModule } from './modules/catalog/catalog.module.js';
import { ConversationsModule } from './modules/conversations/conversations.module.js';
import { DoNotCallModule } from './modules/do-not-call/do-not-call.module.js';
import { FoldersModule } from './modules/folders/folders.module.js';
import { HealthModule } from './modules/health/health.module.js';
import { KnowledgebasesModule } from './modules/knowledgebases/knowledgebases.module.js';
import { LeadsModule } from './modules/leads/leads.module.js';
import { McpServersModule } from './modules/mcp-servers/mcp-servers.module.js';
import { UserEventsModule } from './modules/user-events/user-events.module.js';
import { PhoneNumbersModule } from './modules/phone-numbers/phone-numbers.module.js';
import { PrivacyModule } from './modules/privacy/privacy.module.js';
import { ToolsModule } from './modules/tools/tools.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { QueueModule } from './queues/queue.module.js';
import { WorkersModule } from './workers.module.js';

/** What has been found out before the app is built. */
export interface AppSettings {
  readonly config: Config;
  readonly logger: Logger;
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly string[];
}

@Module({})
export class AppModule {
  static of({ config, logger, databaseUrl, encryptionKeys }: AppSettings): DynamicModule {
    const connections = shareConnections(config.database.poolSize, {
      locks: config.server.roles.has('worker') || config.server.roles.has('voice'),
      hasRedis: config.database.redisUrl !== undefined,
    });
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        LoggerModule.of(logger),
        CryptoModule.of(encryptionKeys),
        DatabaseModule.of(databaseUrl, connections.data),
        EgressModule,
        HttpModule,
        IdempotencyModule,
        LimitsModule,
        LiveModule,
        QueueModule.of(jobDefinitions, databaseUrl, config.database.redisUrl, connections.jobs),
        HealthModule,
        AccountsModule,
        AlertsModule,
        ApiKeysModule,
        AssistantsModule,
        AuditModule,
        AuthModule,
        BillingModule,
        CampaignsModule,
        CatalogModule,
        CallsModule,
        ConversationsModule,
        DoNotCallModule,
        FoldersModule,
        KnowledgebasesModule,
        LeadsModule,
        McpServersModule,
        UserEventsModule,
        PhoneNumbersModule,
        PrivacyModule,
        ToolsModule,
        WebhooksModule,
        ...(config.server.roles.has('worker') ? [WorkersModule] : []),
        ...(config.server.roles.has('voice') ? [CallVoiceModule] : []),
      ],
    };
  }
}
