import { describe, expect, it } from '@jest/globals';
import { OFFER_STATUSES, originsOf } from './offer-states.js';

describe('an offer of a call', () => {
  it.each([
    ['ringing', []],
    ['accepted', ['ringing']],
    ['held', ['accepted']],
    ['ended', ['ringing', 'accepted', 'held']],
  ] as const)('becomes %s from %j alone', (to, from) => {
    expect(originsOf(to)).toEqual(from);
  });

  it('never leaves its end', () => {
    expect(OFFER_STATUSES.flatMap((to) => originsOf(to))).not.toContain('ended');
  });
});
