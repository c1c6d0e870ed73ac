import type { Feature } from '../../feature.js';
import { WebhooksModule } from './webhooks.module.js';
import { deliverWebhooksJob } from './delivery/deliver-webhooks.job.js';
import { DeliverWebhooksProcessor } from './delivery/deliver-webhooks.processor.js';

export const webhooksFeature: Feature = {
  module: WebhooksModule,
  jobs: [{ definition: deliverWebhooksJob, processor: DeliverWebhooksProcessor }],
  tags: [
    {
      name: 'Webhooks',
      description: 'Deliveries to your server, their tries, and the secret that signs them.',
    },
  ],
};
