import { WebhookRetention } from '../../modules/calls/webhook-retention.service.js';
import { sweepWebhookDeliveriesJob } from '../definitions/sweep-webhook-deliveries.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(sweepWebhookDeliveriesJob)
export class SweepWebhookDeliveriesProcessor extends JobProcessor<typeof sweepWebhookDeliveriesJob> {
  constructor(private readonly retention: WebhookRetention) {
    super(sweepWebhookDeliveriesJob);
  }

  protected handle(): Promise<unknown> {
    return this.retention.sweep();
  }
}
