import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '../../../common/observability/logger.js';
import type { MetricsService, Reading } from '../../../common/observability/metrics.service.js';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { CarrierBreakerRepository, Failure } from './carrier-breaker.repository.js';
import { CarrierBreakerService } from './carrier-breaker.service.js';
import type { OpenBreaker } from './open-breaker.js';

const CARRIER = { name: 'sip' } as CallCarrier;
const OPEN: OpenBreaker = {
  state: 'open',
  reason: 'unavailable',
  openedAt: new Date(0),
  retryAt: new Date(1_234),
  retryInMs: 1_234,
};

describe('the breaker of a carrier', () => {
  const find = jest.fn<CarrierBreakerRepository['find']>();
  const takeProbe = jest.fn<CarrierBreakerRepository['takeProbe']>();
  const recordFailure = jest.fn<CarrierBreakerRepository['recordFailure']>();
  const recordSuccess = jest.fn<CarrierBreakerRepository['recordSuccess']>();
  const repository = { find, takeProbe, recordFailure, recordSuccess } as unknown as CarrierBreakerRepository;
  const logger = Logger.create('silent');
  let breaker: CarrierBreakerService;
  let reading: Reading;

  beforeEach(() => {
    jest.useFakeTimers();
    find.mockResolvedValue({ failures: 0, open: null });
    takeProbe.mockResolvedValue(false);
    recordFailure.mockResolvedValue(undefined);
    recordSuccess.mockResolvedValue(undefined);
    const gauge = (given: Reading) => (reading = given);
    breaker = new CarrierBreakerService(repository, new CallCarriers(CARRIER), logger, {
      gauge,
    } as unknown as MetricsService);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const taken = () => breaker.pass('sip', async () => 'call');
  const fail = (thrown: Error) => breaker.pass('sip', () => Promise.reject(thrown));
  const failures = () => recordFailure.mock.calls.map(([carrier, failure]) => [carrier, failure]);

  it('costs a call nothing while all is well: the state is read twice a second', async () => {
    expect(await taken()).toBe('call');
    expect(await taken()).toBe('call');
    jest.advanceTimersByTime(500);
    await taken();
    expect(find).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    await taken();
    expect(find).toHaveBeenCalledTimes(2);
    expect(find).toHaveBeenCalledWith('sip');
    expect(recordSuccess).not.toHaveBeenCalled();
  });

  it('forgets failures with the first call that is taken', async () => {
    find.mockResolvedValue({ failures: 1, open: null });
    await taken();
    expect(recordSuccess.mock.calls).toEqual([['sip', false]]);
  });

  it.each([
    ['unavailable', { trouble: 'unavailable', waitMs: null }],
    ['timeout', { trouble: 'unavailable', waitMs: null }],
  ] as const)('counts a call that failed with %s, and reads the state anew', async (code, failure) => {
    const error = new CallCarrierError(code, 'no');
    await expect(fail(error)).rejects.toBe(error);
    const rules = { threshold: 3, firstWaitMs: 2_000, maxWaitMs: 60_000 };
    expect(recordFailure.mock.calls).toEqual([['sip', { ...failure, isProbe: false }, rules]]);
    await taken();
    expect(find).toHaveBeenCalledTimes(2);
  });

  it.each([
    [null, 5_000],
    [700, 700],
    [3_600_000, 3_600_000],
    [3_600_001, 3_600_000],
  ])('leaves a carrier alone that limits calls for %p ms: %i', async (retryAfterMs, waitMs) => {
    const error = new CallCarrierError('rate-limited', 'no', { retryAfterMs });
    await expect(fail(error)).rejects.toBe(error);
    expect(failures()).toEqual([
      ['sip', { trouble: 'rate-limited', waitMs, isProbe: false } satisfies Failure],
    ]);
  });

  it('takes a refusal for a sign of life', async () => {
    find.mockResolvedValue({ failures: 2, open: null });
    const error = new CallCarrierError('rejected', 'no');
    await expect(fail(error)).rejects.toBe(error);
    expect(failures()).toEqual([]);
    expect(recordSuccess.mock.calls).toEqual([['sip', false]]);
  });

  it('counts no fault of ours', async () => {
    find.mockResolvedValue({ failures: 2, open: null });
    await expect(fail(new TypeError('fault'))).rejects.toBeInstanceOf(TypeError);
    expect(recordFailure).not.toHaveBeenCalled();
    expect(recordSuccess).not.toHaveBeenCalled();
  });

  describe('that is open', () => {
    beforeEach(() => void find.mockResolvedValue({ failures: 3, open: OPEN }));

    it('refuses a call without asking the carrier, which provably has not got it', async () => {
      const place = jest.fn<() => Promise<string>>();
      const refused = breaker.pass('sip', place);
      await expect(refused).rejects.toMatchObject({ code: 'unavailable', sent: 'no', retryAfterMs: 1_234 });
      expect(place).not.toHaveBeenCalled();
      expect(takeProbe).toHaveBeenCalledWith('sip', 30_000);
      expect(recordFailure).not.toHaveBeenCalled();
      expect(await breaker.findOpen('sip')).toEqual(OPEN);
    });

    it('closes when the one call that tries is taken', async () => {
      takeProbe.mockResolvedValue(true);
      const info = jest.spyOn(logger, 'info');
      expect(await taken()).toBe('call');
      expect(recordSuccess.mock.calls).toEqual([['sip', true]]);
      expect(info).toHaveBeenCalledWith('carrier takes calls again', { carrier: 'sip' });
    });

    it('counts the one call that tries in vain as such', async () => {
      takeProbe.mockResolvedValue(true);
      await expect(fail(new CallCarrierError('timeout', 'maybe'))).rejects.toMatchObject({ code: 'timeout' });
      await expect(fail(new CallCarrierError('rate-limited', 'no'))).rejects.toMatchObject({
        code: 'rate-limited',
      });
      expect(failures().map(([, failure]) => (failure as Failure).isProbe)).toEqual([true, true]);
    });

    it('lets a call through after another process has closed it, and does not log that success as its own', async () => {
      const info = jest.spyOn(logger, 'info');
      find
        .mockResolvedValueOnce({ failures: 3, open: OPEN })
        .mockResolvedValueOnce({ failures: 1, open: null });
      expect(await taken()).toBe('call');
      expect(recordSuccess.mock.calls).toEqual([['sip', false]]);
      expect(info).not.toHaveBeenCalled();
    });
  });

  it('keeps the answer of the carrier when the state cannot be written, and says so', async () => {
    find.mockResolvedValue({ failures: 1, open: null });
    const fault = new Error('disk full');
    recordSuccess.mockRejectedValue(fault);
    const warn = jest.spyOn(logger, 'warn');
    expect(await taken()).toBe('call');
    expect(warn).toHaveBeenCalledWith('state of the carrier not written', { carrier: 'sip', err: fault });
    await taken();
    expect(find).toHaveBeenCalledTimes(2);
  });

  it.each([
    [null, [0, 0]],
    [OPEN, [1, 0]],
    [{ ...OPEN, reason: 'rate-limited' } as const, [0, 1]],
  ])('is shown as a metric', async (open, values) => {
    find.mockResolvedValue({ failures: 3, open });
    expect(reading).toMatchObject({ name: 'call_carrier_breaker_open', labelNames: ['carrier', 'reason'] });
    expect(await reading.read()).toEqual([
      { labels: { carrier: 'sip', reason: 'unavailable' }, value: values[0] },
      { labels: { carrier: 'sip', reason: 'rate-limited' }, value: values[1] },
    ]);
  });

  it('blocks one carrier only: another carrier still takes calls', async () => {
    const carriers = new CallCarriers(CARRIER);
    carriers.add({ name: 'other' } as CallCarrier, () => true);
    const gauge = (given: Reading) => (reading = given);
    breaker = new CarrierBreakerService(repository, carriers, logger, { gauge } as unknown as MetricsService);
    find.mockImplementation(async (carrier) =>
      carrier === 'sip' ? { failures: 3, open: OPEN } : { failures: 0, open: null },
    );
    expect(await breaker.findOpenEverywhere()).toBeNull();
    expect(await breaker.findAllOpen()).toEqual([OPEN]);
    expect([...breaker.knownOpen(['sip', 'other']).keys()]).toEqual(['sip']);
    expect(await breaker.pass('other', async () => 'call')).toBe('call');
    await expect(breaker.pass('sip', async () => 'call')).rejects.toMatchObject({ sent: 'no' });
    find.mockResolvedValue({ failures: 3, open: OPEN });
    jest.advanceTimersByTime(501);
    expect(await breaker.findOpenEverywhere()).toEqual(OPEN);
  });
});
