import { WebhookRetentionService } from './webhook-retention.service.js';
import { sweepWebhookDeliveriesJob } from './sweep-webhook-deliveries.job.js';
import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';

@ProcessorOf(sweepWebhookDeliveriesJob)
export class SweepWebhookDeliveriesProcessor extends JobProcessor<typeof sweepWebhookDeliveriesJob> {
  constructor(private readonly retention: WebhookRetentionService) {
    super(sweepWebhookDeliveriesJob);
  }

  protected handle(): Promise<unknown> {
    return this.retention.sweep();
  }
}
