import { Module } from '@nestjs/common';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AssistantLookupsService } from './assistant-lookups.service.js';
import { CallerLookupsService } from './caller-lookups.service.js';
import { LookupClientService } from './lookup-client.service.js';
import { LookupMetricsService } from './lookup-metrics.service.js';

@Module({
  imports: [AssistantsModule, WebhooksModule],
  providers: [AssistantLookupsService, CallerLookupsService, LookupClientService, LookupMetricsService],
  exports: [AssistantLookupsService, CallerLookupsService],
})
export class CallerLookupsModule {}
