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
    [false, 0, []],
    [true, 0, ['claim', 'give up']],
    // Due deliveries wait for a part of the backlog at most.
    [true, 4_500, ['claim', 'give up', 'claim', 'give up', 'claim', 'give up']],
  ])('with pending: %p and a backlog of %i to give up, does %j', async (isPending, backlog, asked) => {
    let left = backlog;
    const done: string[] = [];
    const queue: Partial<WebhookQueueRepository> = {
      isAnyPending: () => Promise.resolve(isPending),
      failDisabled: async (limit) => {
        done.push('give up');
        const givenUp = Math.min(left, limit);
        left -= givenUp;
        return givenUp;
      },
      claimDue: async () => {
        done.push('claim');
        return { deliveries: [], isRestDue: false };
      },
    };
    const transactions = {
      run: (work: (tx: object) => Promise<unknown>) => work({}),
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
