import { Module } from '@nestjs/common';
import { WebhookBacklogRepository } from './webhook-backlog.repository.js';
import { DeliveryPersonalDataService } from './personal-data/delivery-personal-data.service.js';
import { DeliveryTracesRepository } from './personal-data/delivery-traces.repository.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDispatcherService } from './webhook-dispatcher.service.js';
import { WebhookMetricsService } from './webhook-metrics.service.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';
import { WebhookSecretController } from './webhook-secret.controller.js';
import { WebhookSecretsRepository } from './webhook-secrets.repository.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  controllers: [WebhookDeliveriesController, WebhookSecretController],
  providers: [
    WebhookBacklogRepository,
    WebhookDispatcherService,
    WebhookMetricsService,
    WebhookQueueRepository,
    WebhookSecretsRepository,
    WebhookSecretsService,
    WebhookSenderService,
    WebhooksRepository,
    WebhooksService,
    DeliveryPersonalDataService,
    DeliveryTracesRepository,
  ],
  exports: [DeliveryPersonalDataService, WebhookDispatcherService, WebhooksService],
})
export class WebhooksModule {}
