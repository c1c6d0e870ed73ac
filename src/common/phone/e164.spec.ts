import { describe, expect, it } from '@jest/globals';
import { toE164 } from './e164.js';

describe('toE164', () => {
  it('keeps a number that is in international form', () => {
    expect(toE164('+5511987654321', 'US')).toBe('+5511987654321');
  });

  it('reads a national number as one of the default country', () => {
    expect(toE164('(11) 98765-4321', 'BR')).toBe('+5511987654321');
    expect(toE164('030 901820', 'DE')).toBe('+4930901820');
  });

  it.each([
    '',
    '   ',
    'abc',
    '+55',
    '123',
    '+5511987654321 ext. 5',
    'tel: 11987654321 Ana',
    '1'.repeat(5000),
  ])('refuses %j', (input) => {
    expect(toE164(input, 'BR')).toBeNull();
  });

  it('refuses a national number when the country is not known', () => {
    expect(toE164('11987654321', 'XX')).toBeNull();
  });

  it('reads a number with spaces around it, of up to 40 characters', () => {
    expect(toE164('  +5511987654321 ', 'US')).toBe('+5511987654321');
    const spaced = `+55${' '.repeat(26)}11987654321`;
    expect(spaced).toHaveLength(40);
    expect(toE164(spaced, 'US')).toBe('+5511987654321');
    expect(toE164(spaced.replace(' ', '  '), 'US')).toBeNull();
  });

  it('judges an international number by its length, and a national one by the ranges that are given out', () => {
    // Possible, and of no known range.
    expect(toE164('+5511000000000', 'BR')).toBe('+5511000000000');
    expect(toE164('11000000000', 'BR')).toBeNull();
    // The area code is missing.
    expect(toE164('987654321', 'BR')).toBeNull();
    expect(toE164('11987654321+', 'BR')).toBeNull();
  });
});
