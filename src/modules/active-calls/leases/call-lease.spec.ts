import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CallLease, LEASE_MS } from './call-lease.js';

describe('a call that this process holds', () => {
  const accept = jest.fn<CallCarrier['accept']>();
  const carrier = { media: { audio: {} }, accept } as unknown as CallCarrier;
  let lease: CallLease;

  beforeEach(() => {
    jest.useFakeTimers();
    accept.mockResolvedValue(undefined);
    lease = new CallLease(7, 'sandbox', carrier);
  });
  afterEach(() => void jest.useRealTimers());

  it('is its own until the millisecond in which the lease ends', () => {
    expect(lease.isHeld).toBe(true);
    jest.advanceTimersByTime(LEASE_MS - 1);
    expect(lease.isHeld).toBe(true);
    jest.advanceTimersByTime(1);
    expect(lease.isHeld).toBe(false);
  });

  it('is its own for a lease longer from when it asked for one, not from when it was answered', () => {
    jest.advanceTimersByTime(5_000);
    const askedAtMs = performance.now();
    jest.advanceTimersByTime(2_000);
    lease.renewed(askedAtMs);
    jest.advanceTimersByTime(LEASE_MS - 2_001);
    expect(lease.isHeld).toBe(true);
    jest.advanceTimersByTime(1);
    expect(lease.isHeld).toBe(false);
  });

  it('is no longer held by this process after its release, even if it is renewed', () => {
    expect(lease.signal.aborted).toBe(false);
    lease.release();
    lease.renewed(performance.now());
    expect(lease.signal.aborted).toBe(true);
    expect(lease.isHeld).toBe(false);
  });

  it('has a line that works as long as it is held', async () => {
    await lease.line.accept('a');
    lease.release();
    await expect(lease.line.accept('a')).rejects.toMatchObject({ code: 'unavailable', sent: 'no' });
    expect(accept).toHaveBeenCalledTimes(1);
  });

  it('begins with nothing said, under a token of its own', () => {
    expect(lease.turns.all).toEqual([]);
    expect(lease.callId).toBe(7);
    expect(new CallLease(7, 'sandbox', carrier).token).not.toBe(lease.token);
  });
});
