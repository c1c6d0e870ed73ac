import { WebhookDispatcherService } from './webhook-dispatcher.service.js';
import { deliverWebhooksJob } from './deliver-webhooks.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(deliverWebhooksJob)
export class DeliverWebhooksProcessor extends JobProcessor<typeof deliverWebhooksJob> {
  constructor(private readonly webhooks: WebhookDispatcherService) {
    super(deliverWebhooksJob);
  }

  protected handle(): Promise<unknown> {
    return this.webhooks.sweep();
  }
}
