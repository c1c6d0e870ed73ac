import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { WebhookBacklogRepository } from './delivery/webhook-backlog.repository.js';
import { DeliveryPersonalDataService } from './personal-data/delivery-personal-data.service.js';
import { DeliveryPersonalDataRepository } from './personal-data/delivery-personal-data.repository.js';
import { PluginListenersRepository } from './plugin-events/plugin-listeners.repository.js';
import { PluginListenersService } from './plugin-events/plugin-listeners.service.js';
import { SealedSecretsService } from './secrets/sealed-secrets.service.js';
import { SubscriptionSecretsService } from './subscriptions/subscription-secrets.service.js';
import { WebhookEndpointsController } from './subscriptions/webhook-endpoints.controller.js';
import { WebhookSubscriptionsRepository } from './subscriptions/webhook-subscriptions.repository.js';
import { WebhookSubscriptionsService } from './subscriptions/webhook-subscriptions.service.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEventsController } from './webhook-events.controller.js';
import { WebhookDispatcherService } from './delivery/webhook-dispatcher.service.js';
import { WebhookMetricsService } from './delivery/webhook-metrics.service.js';
import { WebhookQueueRepository } from './delivery/webhook-queue.repository.js';
import { WebhookSecretController } from './secrets/webhook-secret.controller.js';
import { WebhookSecretsRepository } from './secrets/webhook-secrets.repository.js';
import { WebhookSecretsService } from './secrets/webhook-secrets.service.js';
import { WebhookSenderService } from './delivery/webhook-sender.service.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [
    WebhookDeliveriesController,
    WebhookEndpointsController,
    WebhookEventsController,
    WebhookSecretController,
  ],
  providers: [
    SealedSecretsService,
    SubscriptionSecretsService,
    WebhookSubscriptionsRepository,
    WebhookSubscriptionsService,
    WebhookBacklogRepository,
    WebhookDispatcherService,
    WebhookMetricsService,
    WebhookQueueRepository,
    WebhookSecretsRepository,
    WebhookSecretsService,
    WebhookSenderService,
    PluginListenersRepository,
    PluginListenersService,
    WebhooksRepository,
    WebhooksService,
    DeliveryPersonalDataService,
    DeliveryPersonalDataRepository,
  ],
  exports: [DeliveryPersonalDataService, WebhookSecretsService, WebhooksService],
})
export class WebhooksModule {}
