import type { Feature } from '../../feature.js';
import { WebhooksModule } from './webhooks.module.js';
import { deliverWebhooksJob } from './delivery/deliver-webhooks.job.js';

export const webhooksFeature: Feature = {
  module: WebhooksModule,
  jobs: [deliverWebhooksJob],
  tags: [
    {
      name: 'Webhooks',
      description: 'Deliveries to your server, their tries, and the secret that signs them.',
    },
  ],
};
