import { describe, expect, it } from '@jest/globals';
import { dollarsOf, MESSAGE_PRICE_MICROS, microsOf } from './money.js';

describe('money', () => {
  it.each([
    [0, 0],
    [1, 0.000_001],
    [10_000, 0.01],
    [1_000_001, 1.000_001],
    [-10_000, -0.01],
  ])('%i micro-dollars are %f dollars, and back', (micros, dollars) => {
    expect(dollarsOf(micros)).toBe(dollars);
    expect(microsOf(dollars)).toBe(micros);
  });

  it.each([
    [0.000_000_4, 0],
    [0.000_000_5, 1],
    [0.000_001_4, 1],
    // 0.29 * 1,000,000 is 289,999.99999999994
    [0.29, 290_000],
  ])('reads %f dollars as whole micro-dollars, the nearest ones: %i', (dollars, micros) => {
    expect(microsOf(dollars)).toBe(micros);
  });

  it('charges a cent a message', () => {
    expect(dollarsOf(MESSAGE_PRICE_MICROS)).toBe(0.01);
  });
});
