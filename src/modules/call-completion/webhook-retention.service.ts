import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/transactions.js';
import { Handles } from '../../queues/workers/handles.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { CallsService } from '../calls/calls.service.js';
import { sweepWebhookDeliveriesJob } from './sweep-webhook-deliveries.job.js';

const BATCH = 1_000;

/**
 * Deletes deliveries that are older than they are kept. What a receiver said last about a call stays on the call, which is
 * why this is done here: webhooks know nothing of calls.
 */
@Injectable()
export class WebhookRetentionService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly calls: CallsService,
    private readonly transactions: Transactions,
  ) {}

  /** Safe in many processes at once. */
  @Handles(sweepWebhookDeliveriesJob)
  async sweep(): Promise<void> {
    while ((await this.transactions.run((tx) => this.removeBatch(tx))) === BATCH);
  }

  private async removeBatch(tx: Tx): Promise<number> {
    const { count, callResponses } = await this.webhooks.removeExpired(BATCH, tx);
    await this.calls.keepWebhookResponses(callResponses, tx);
    return count;
  }
}
