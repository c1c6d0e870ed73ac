import type { Feature } from '../../feature.js';
import { WebhooksModule } from './webhooks.module.js';
import { deliverWebhooksJob } from './deliver-webhooks.job.js';
import { DeliverWebhooksProcessor } from './deliver-webhooks.processor.js';

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
