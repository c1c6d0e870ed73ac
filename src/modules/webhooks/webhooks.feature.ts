import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { WebhooksModule } from './webhooks.module.js';
import { newWebhookSecret } from './secrets/webhook-signature.js';
import { deliverWebhooksJob } from './delivery/deliver-webhooks.job.js';

export const webhooksFeature: Feature = {
  sealedColumns: [
    sealedColumn({
      table: 'webhook_secrets',
      column: 'sealed_previous_secret',
      place: 'webhook_secrets.secret',
      whenLost: 'null',
      rowId: 'user_id',
      primaryKey: ['user_id'],
      newestBy: 'created_at',
    }),
    sealedColumn({
      table: 'webhook_secrets',
      column: 'sealed_secret',
      place: 'webhook_secrets.secret',
      whenLost: 'delete',
      rowId: 'user_id',
      primaryKey: ['user_id'],
      newestBy: 'created_at',
    }),
    sealedColumn({
      table: 'webhook_subscriptions',
      column: 'sealed_previous_secret',
      place: 'webhook_subscriptions.secret',
      whenLost: 'null',
    }),
    sealedColumn({
      table: 'webhook_subscriptions',
      column: 'sealed_secret',
      place: 'webhook_subscriptions.secret',
      whenLost: newWebhookSecret,
    }),
  ],
  module: WebhooksModule,
  jobs: [deliverWebhooksJob],
  tags: [
    {
      name: 'Webhooks',
      description: 'Deliveries to your server, their tries, and the secret that signs them.',
    },
  ],
};
