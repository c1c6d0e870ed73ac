import { WebhookDispatcher } from '../../modules/webhooks/webhook-dispatcher.service.js';
import { deliverWebhooksJob } from '../definitions/deliver-webhooks.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(deliverWebhooksJob)
export class DeliverWebhooksProcessor extends JobProcessor<typeof deliverWebhooksJob> {
  constructor(private readonly webhooks: WebhookDispatcher) {
    super(deliverWebhooksJob);
  }

  protected handle(): Promise<unknown> {
    return this.webhooks.sweep();
  }
}
