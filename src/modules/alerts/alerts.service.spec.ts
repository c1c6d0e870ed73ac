import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Transactions } from '../../database/transactions.js';
import type { WebhooksService } from '../webhooks/webhooks.service.js';
import type { AlertEmailsService } from './alert-emails.service.js';
import type { AlertsRepository } from './alerts.repository.js';
import { AlertsService } from './alerts.service.js';
import type { ReachedLimit } from './limit-reached-payload.js';

const REACHED: ReachedLimit = {
  userId: 1,
  limit: 'visitor_spend',
  value: 1,
  assistant: { id: 2, uuid: 'u', name: 'Bia' },
  isOfAccount: false,
  resetsInSeconds: 60,
  webhookUrl: null,
};

describe('AlertsService', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('asks again whether a limit was reported when the day of the database ends, independent of the local clock', async () => {
    const dayLeftMs = 60_000;
    const add = jest.fn<AlertsRepository['add']>().mockResolvedValue({ alert: null, dayLeftMs });
    const transactions = { run: (work: (tx: unknown) => unknown) => work({}) };
    const alerts = new AlertsService(
      { add } as unknown as AlertsRepository,
      {} as WebhooksService,
      { enqueue: async () => [], wake: () => undefined } as unknown as AlertEmailsService,
      transactions as unknown as Transactions,
    );
    let nowMs = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);

    const tellAfter = async (ms: number) => {
      nowMs += ms;
      // The cache reads the clock once a millisecond.
      await sleep(5);
      await alerts.report(REACHED);
    };
    await tellAfter(0);
    await tellAfter(dayLeftMs - 1_000);
    expect(add).toHaveBeenCalledTimes(1);
    await tellAfter(2_000);
    expect(add).toHaveBeenCalledTimes(2);
  });
});
