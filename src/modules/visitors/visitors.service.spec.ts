import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '../../common/observability/logger.js';
import type { MetricsService } from '../../common/observability/metrics.service.js';
import type { LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import type { AlertsService } from '../alerts/alerts.service.js';
import type { VisitorPolicy } from '../assistants/settings/visitor-policy.js';
import { VisitorLimitError } from '../billing/billing.errors.js';
import type { VisitorOpeningsRepository } from './visitor-openings.repository.js';
import { OriginNotAllowedError } from './visitors.errors.js';
import { VisitorsService } from './visitors.service.js';

const TX = {} as Tx;
const POLICY: VisitorPolicy = {
  userId: 1,
  assistantId: 2,
  assistantUuid: 'uuid',
  assistantName: 'Recepção',
  conversationsPerHour: null,
  conversationsPerAddressPerHour: null,
  messagesPerHour: null,
  dailySpend: null,
  allowedOrigins: [],
  challengeRequired: false,
  answersOnSite: true,
  callsEnabled: true,
  alertUrl: 'https://example.com/hooks',
};
const DEFAULTS = {
  conversationsPerHour: 10,
  conversationsPerAddressPerHour: 11,
  messagesPerHour: 12,
  dailySpendPerAssistantMicros: 13,
  dailySpendPerAccountMicros: 14,
  challengeDifficulty: 15,
};

describe('visitors', () => {
  const count = jest.fn<VisitorOpeningsRepository['count']>();
  const report = jest.fn<AlertsService['report']>();
  const countVisitorRefusal = jest.fn<MetricsService['countVisitorRefusal']>();
  const showAnswerTo = jest.fn<(origin: string | null) => void>();
  const logger = Logger.create('silent');
  const serviceWith = (enabled: boolean) =>
    new VisitorsService(
      { count } as unknown as VisitorOpeningsRepository,
      { report } as unknown as AlertsService,
      { countVisitorRefusal } as unknown as MetricsService,
      { enabled, visitors: DEFAULTS } as unknown as LimitsConfig,
      logger,
    );
  const service = serviceWith(true);
  const visitorAt = (origin: string | null, address = '203.0.113.1') => ({
    callerId: null,
    address,
    origin,
    keyAccountId: null,
    showAnswerTo,
  });
  const counted = { isWithinAddressQuota: true, isWithinQuota: true, secondsToNextHour: 60 };

  beforeEach(() => {
    count.mockResolvedValue(counted);
    report.mockResolvedValue(undefined);
  });

  describe('of an assistant that names origins', () => {
    const policy = { ...POLICY, allowedOrigins: ['https://a.example', 'https://b.example'] };

    it.each(['https://a.example', 'https://b.example'])(
      'may come from a page of %s, which sees the answer',
      (origin) => {
        service.checkOrigin(policy, visitorAt(origin));
        expect(showAnswerTo).toHaveBeenCalledWith(origin);
      },
    );

    it.each(['https://c.example', 'https://a.example.c.example', 'http://a.example', null])(
      'may not come from %s, which sees none',
      (origin) => {
        expect(() => service.checkOrigin(policy, visitorAt(origin))).toThrow(OriginNotAllowedError);
        expect(showAnswerTo).toHaveBeenCalledWith(null);
      },
    );
  });

  it('of an assistant that names none may come from anywhere', () => {
    service.checkOrigin(POLICY, visitorAt(null));
    expect(showAnswerTo).not.toHaveBeenCalled();
  });

  it('are counted by what the assistant allows, and otherwise by what the installation does', async () => {
    await service.countOpening(POLICY, visitorAt(null), TX);
    await service.countOpening(
      { ...POLICY, conversationsPerHour: 0, conversationsPerAddressPerHour: 1 },
      visitorAt(null),
      TX,
    );
    expect(count.mock.calls.map(([id, , quotas]) => [id, quotas])).toEqual([
      [2, { perHour: 10, perAddressPerHour: 11 }],
      [2, { perHour: 0, perAddressPerHour: 1 }],
    ]);
    expect(service.budgetOf(POLICY)).toEqual({ assistantId: 2, messagesPerHour: 12, dailySpendMicros: 13 });
    expect(service.budgetOf({ ...POLICY, messagesPerHour: 0, dailySpend: 0.5 })).toEqual({
      assistantId: 2,
      messagesPerHour: 0,
      dailySpendMicros: 500_000,
    });
  });

  it('are known to a counter by a hash of address and assistant, in which neither can be read', async () => {
    for (const [policy, address] of [
      [POLICY, '203.0.113.1'],
      [POLICY, '203.0.113.2'],
      [{ ...POLICY, assistantUuid: 'other' }, '203.0.113.1'],
      [POLICY, '203.0.113.1'],
    ] as const) {
      await service.countOpening(policy, visitorAt(null, address), TX);
    }
    const hashes = count.mock.calls.map(([, hash]) => hash);
    expect(new Set(hashes).size).toBe(3);
    expect(hashes[3]).toBe(hashes[0]);
    for (const hash of hashes) expect(hash).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    [{ isWithinAddressQuota: false, isWithinQuota: false }, 'conversations_per_address_per_hour', 11],
    [{ isWithinAddressQuota: true, isWithinQuota: false }, 'conversations_per_hour', 10],
  ] as const)('are refused when the counter says %j: %s of %i', async (result, limit, value) => {
    count.mockResolvedValue({ ...counted, ...result });
    const refused = service.countOpening(POLICY, visitorAt(null), TX);
    await expect(refused).rejects.toMatchObject({ limit, value, retryAfterSeconds: 60 });
    await expect(refused).rejects.toBeInstanceOf(VisitorLimitError);
  });

  it('are not counted where limits are off', async () => {
    count.mockResolvedValue({ ...counted, isWithinQuota: false });
    await serviceWith(false).countOpening(POLICY, visitorAt(null), TX);
    expect(count).not.toHaveBeenCalled();
  });

  describe('whose request a limit refuses', () => {
    const watch = (thrown: Error) => service.watch(POLICY, () => Promise.reject(thrown));

    it.each([
      ['messages_per_hour', 12, 12, false],
      ['daily_spend_per_assistant', 500_000, 0.5, false],
      ['daily_spend_per_account', 1_500_000, 1.5, true],
    ] as const)(
      'are refused, and the owner is notified of %s',
      async (limit, value, reported, isOfAccount) => {
        const error = new VisitorLimitError(limit, value, 60);
        await expect(watch(error)).rejects.toBe(error);
        expect(countVisitorRefusal).toHaveBeenCalledWith(limit);
        expect(report).toHaveBeenCalledWith({
          userId: 1,
          limit,
          value: reported,
          assistant: { id: 2, uuid: 'uuid', name: 'Recepção' },
          isOfAccount,
          resetsInSeconds: 60,
          webhookUrl: 'https://example.com/hooks',
        });
      },
    );

    it('get the error of the limit also when the notification of the owner fails, which is logged', async () => {
      const logged = jest.spyOn(logger, 'error');
      const fault = new Error('fault');
      report.mockRejectedValue(fault);
      const error = new VisitorLimitError('messages_per_hour', 12, 60);
      await expect(watch(error)).rejects.toBe(error);
      expect(logged).toHaveBeenCalledWith('owner not notified of a limit', {
        err: fault,
        limit: 'messages_per_hour',
      });
    });

    it('get any other error without a notification of the owner', async () => {
      const error = new Error('fault');
      await expect(watch(error)).rejects.toBe(error);
      expect(report).not.toHaveBeenCalled();
      expect(countVisitorRefusal).not.toHaveBeenCalled();
    });
  });

  it('get what they ask for', async () => {
    expect(await service.watch(POLICY, async () => 'answer')).toBe('answer');
  });
});
