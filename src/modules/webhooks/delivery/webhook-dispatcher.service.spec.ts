import { describe, expect, it } from '@jest/globals';
import type { Logger } from '../../../common/observability/logger.js';
import type { WebhooksConfig } from '../../../config/config.js';
import type { Transactions } from '../../../database/transactions.js';
import { WebhookDispatcherService } from './webhook-dispatcher.service.js';
import type { WebhookMetricsService } from './webhook-metrics.service.js';
import type { WebhookQueueRepository } from './webhook-queue.repository.js';
import type { WebhookSenderService } from './webhook-sender.service.js';

describe('the sweep of webhooks', () => {
  it.each([
    [false, []],
    [true, ['failDisabled', 'transaction', 'claimDue']],
  ])('asks for no more than whether any delivery is pending: %p', async (isPending, asked) => {
    const done: string[] = [];
    const queue: Partial<WebhookQueueRepository> = {
      isAnyPending: () => Promise.resolve(isPending),
      failDisabled: async () => void done.push('failDisabled'),
      claimDue: async () => {
        done.push('claimDue');
        return { deliveries: [], isRestDue: false };
      },
    };
    const transactions = {
      run: (work: (tx: object) => Promise<unknown>) => {
        done.push('transaction');
        return work({});
      },
    };
    const dispatcher = new WebhookDispatcherService(
      queue as WebhookQueueRepository,
      {} as WebhookSenderService,
      transactions as unknown as Transactions,
      {} as WebhookMetricsService,
      { timeoutMs: 1_000, retryScale: 1 } as WebhooksConfig,
      {} as Logger,
    );
    await dispatcher.sweep();
    expect(done).toEqual(asked);
  });
});
