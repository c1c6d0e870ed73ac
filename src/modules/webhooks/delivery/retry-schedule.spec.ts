import { describe, expect, it } from '@jest/globals';
import { parseRetryAfterMs } from '../../../common/http/retry-after.js';
import { nextWaitMs, type RetryRequest } from './retry-schedule.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;

function waits(request: Partial<RetryRequest>): number[] {
  const all: number[] = [];
  for (let failures = 1; ; failures++) {
    const waitMs = nextWaitMs({
      kind: 'post-call',
      retryAfterMs: null,
      scale: 1,
      random: 0,
      ...request,
      failures,
    });
    if (waitMs === null) return all;
    all.push(waitMs);
  }
}

describe('retry schedule', () => {
  it.each(['post-call', 'inbound'] as const)('makes ten tries of %s over 75 h 35 m', (kind) => {
    const all = waits({ kind });
    expect(all.map((waitMs) => waitMs / 1_000)).toEqual([
      5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
    expect(all.reduce((sum, waitMs) => sum + waitMs, 0)).toBe(75 * HOUR_MS + 35 * 60_000 + 5_000);
  });

  it('tries a conversation-ended event again after 30, 60 and 120 seconds', () => {
    expect(waits({ kind: 'conversation-ended' })).toEqual([30_000, 60_000, 120_000]);
  });

  it('spreads tries by up to a fifth, and never before their time', () => {
    expect(waits({ kind: 'conversation-ended', random: 1 })).toEqual([36_000, 72_000, 144_000]);
  });

  it('is shrunk by the scale', () => {
    expect(waits({ scale: 0.001 })[0]).toBe(5);
    expect(waits({ scale: 0.001 }).at(-1)).toBe(86_400);
  });

  it('waits as long as the receiver asks, when that is longer, and at most a day', () => {
    expect(waits({ retryAfterMs: 60_000 })[0]).toBe(60_000);
    expect(waits({ retryAfterMs: 60_000 })[1]).toBe(300_000);
    expect(waits({ retryAfterMs: 1e12 })[0]).toBe(24 * HOUR_MS);
    expect(waits({ retryAfterMs: 60_000, scale: 0.001 })[0]).toBe(60_000);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['99999999999', null],
    ['', null],
    [undefined, null],
  ])('reads %s as %s ms', (value, expected) => {
    expect(parseRetryAfterMs(value, NOW)).toBe(expected);
  });
});
