import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SipResponse } from '../message/sip-message.js';
import { retryAfterSeconds } from '../message/retry-after.js';
import { SIP_TIMERS } from './sip-timers.js';
import { retryDelayMs } from './retry-delay.js';

const OPTIONS = { ownsCallId: true, timers: SIP_TIMERS, maxMs: 30_000 };

function responseOf(status: number, retryAfter?: string): SipResponse {
  const response = new SipResponse(status);
  if (retryAfter !== undefined) response.headers.set('retry-after', retryAfter);
  return response;
}

describe('The time of a Retry-After', () => {
  it.each([
    ['5', 5],
    ['0', 0],
    [' 120 ', 120],
    ['120;duration=3600', 120],
    ['120 ; duration=3600', 120],
    ["18000 (I'm in a meeting; until noon)", 18_000],
    ['60(maintenance);duration=60', 60],
    ['-1', null],
    ['soon', null],
    ['', null],
    ['12 13', null],
    ['Mon, 21 Jul 2027 18:48:34 GMT', null],
  ])('%j is %j', (written, seconds) => {
    expect(retryAfterSeconds(responseOf(503, written))).toBe(seconds);
  });
});

describe('The wait before a change of a session is sent again', () => {
  it('is 2.1 to 4 s for the owner of the Call-ID and up to 2 s for the other side, in steps of 10 ms', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.constantFrom(491, 500, 503), (ownsCallId, status) => {
        const delayMs = retryDelayMs(responseOf(status), { ...OPTIONS, ownsCallId })!;
        expect(delayMs).toBeGreaterThanOrEqual(ownsCallId ? 2_100 : 0);
        expect(delayMs).toBeLessThanOrEqual(ownsCallId ? 4_000 : 2_000);
        expect(delayMs % 10).toBe(0);
      }),
    );
  });

  it.each([500, 502, 503, 504, 480, 486, 600])('is what a %i asks for', (status) => {
    expect(retryDelayMs(responseOf(status, '7 (busy)'), OPTIONS)).toBe(7_000);
  });

  it('is never shorter than the back-off after a 491', () => {
    expect(retryDelayMs(responseOf(491, '0'), OPTIONS)).toBeGreaterThanOrEqual(2_100);
    expect(retryDelayMs(responseOf(491, '9'), OPTIONS)).toBe(9_000);
  });

  it('has its limits', () => {
    expect(retryDelayMs(responseOf(500, '86400'), OPTIONS)).toBe(30_000);
    expect(retryDelayMs(responseOf(500, '0'), OPTIONS)).toBe(SIP_TIMERS.t1Ms);
  });

  it.each([400, 403, 405, 415, 488, 501, 505, 513, 603])('is none after a %i', (status) => {
    expect(retryDelayMs(responseOf(status), OPTIONS)).toBeNull();
  });
});
