import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '../../../common/observability/logger.js';
import { TurnLeasesService } from './turn-leases.service.js';
import type { TurnsRepository } from './turns.repository.js';

const TURN = { conversationId: '0b2c6a52-7f0e-4c55-9a3b-0a4c5d8f3e11', token: 'token' };
const TIMEOUT_MS = 120_000;

describe('TurnLeasesService', () => {
  const renew = jest.fn<TurnsRepository['renew']>();
  const leases = new TurnLeasesService({ renew } as unknown as TurnsRepository, Logger.create('silent'));

  beforeEach(() => {
    jest.useFakeTimers();
    renew.mockResolvedValue(true);
  });
  afterEach(() => void jest.useRealTimers());

  it('stops a turn whose time is over', async () => {
    const lease = leases.keep(TURN, TIMEOUT_MS);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(lease.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(lease.signal.reason).toMatchObject({ name: 'TimeoutError' });
    lease.end();
  });

  it('stops a turn whose lease was not renewed', async () => {
    renew.mockResolvedValue(false);
    const lease = leases.keep(TURN, TIMEOUT_MS);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(lease.signal.reason).toMatchObject({ message: 'the conversation was taken from the turn' });
    lease.end();
  });

  it('leaves no timer of a turn that has ended', () => {
    leases.keep(TURN, TIMEOUT_MS).end();
    expect(jest.getTimerCount()).toBe(0);
  });
});
