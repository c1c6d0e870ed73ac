import { describe, expect, it } from '@jest/globals';
import { costOf, totalOf } from './call-prices.js';

/** The default prices: 0.01 and 0.002 USD a minute. */
const prices = { pricePerMinuteMicros: 10_000, carrierPricePerMinuteMicros: 2_000 };

describe('costOf', () => {
  it.each([
    // 166.67 and 33.33
    [1, 167, 34],
    // 9,833.33 and 1,966.67
    [59, 9_834, 1_967],
    [60, 10_000, 2_000],
    // 10,166.67 and 2,033.33
    [61, 10_167, 2_034],
  ])('charges %i s with each part rounded up to the micro-dollar', (seconds, aiMicros, carrierMicros) => {
    expect(costOf(seconds, prices)).toEqual({ aiMicros, carrierMicros });
  });

  it.each([
    [90, 10_000],
    [30, 0],
    [20, 0],
  ])('charges the line alone for the 30 s before the assistant of %i s', (seconds, aiMicros) => {
    const cost = costOf(seconds, prices, 30);
    expect(cost).toEqual({ aiMicros, carrierMicros: costOf(seconds, prices).carrierMicros });
  });

  it.each([
    [1, 1],
    [59, 1],
    [60, 1],
    [61, 2],
    [120, 2],
    [121, 3],
  ])('at one micro-dollar a minute charges %i s with %i', (seconds, micros) => {
    const both = { pricePerMinuteMicros: 1, carrierPricePerMinuteMicros: 1 };
    expect(costOf(seconds, both)).toEqual({ aiMicros: micros, carrierMicros: micros });
  });

  it('rounds the parts and not their sum', () => {
    expect(totalOf(costOf(1, prices))).toBe(201);
  });

  it('charges nothing for no time, and nothing for what has no price', () => {
    expect(costOf(0, prices)).toEqual({ aiMicros: 0, carrierMicros: 0 });
    expect(costOf(61, { ...prices, carrierPricePerMinuteMicros: 0 })).toEqual({
      aiMicros: 10_167,
      carrierMicros: 0,
    });
  });
});
