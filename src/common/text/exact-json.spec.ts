import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { exactNumber, parseExact, plainDecimal, withExactNumbers } from './exact-json.js';

const INVOICE_KEY = '35261112345678000199550010000012341000012345';

describe('parseExact', () => {
  it('reads as JSON.parse does what a double can hold', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value = JSON.parse(json) as unknown;
        // What is beyond a double's integers is another matter.
        fc.pre(!/\d{16}|\de\+/.test(json) && !Object.is(value, -0));
        expect(parseExact(json)).toEqual(value);
      }),
    );
  });

  it.each([
    ['{"key":35261112345678000199550010000012341000012345}', { key: INVOICE_KEY }],
    [
      '[1234567890123456789, {"a":{"b":[-9007199254740993]}}]',
      ['1234567890123456789', { a: { b: ['-9007199254740993'] } }],
    ],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', '9007199254740992'],
    ['{"a": 1e3, "b": 1E+20, "c": 2.5e-3}', { a: 1_000, b: '100000000000000000000', c: 0.0025 }],
    ['{"rate":0.12345678901234567890123}', { rate: '0.12345678901234567890123' }],
    ['{"price":1.10,"text":"1234567890123456789"}', { price: 1.1, text: '1234567890123456789' }],
    ['{"a":1e999}', { a: '1e999' }],
    ['{"a":11111111111111111111,"a":2}', { a: 2 }],
  ])('reads %s', (json, value) => {
    expect(parseExact(json)).toEqual(value);
  });

  it('takes __proto__ for a name like any other', () => {
    const value = parseExact('{"__proto__":{"admin":true},"n":12345678901234567890}') as object;
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(value).not.toHaveProperty('admin');
  });

  it.each(['{"a":01310100123456789}', '{"a":12345678901234567890', '{a:12345678901234567890}', '[1e+]'])(
    'refuses %s',
    (json) => {
      expect(() => parseExact(json)).toThrow();
    },
  );
});

describe('exactNumber', () => {
  it('keeps all digits of any integer', () => {
    fc.assert(
      fc.property(fc.bigInt(), (integer) => {
        expect(String(exactNumber(String(integer)))).toBe(String(integer));
      }),
    );
  });

  it('keeps the value of any double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(Number(exactNumber(String(number)))).toBe(number + 0);
      }),
    );
  });
});

describe('plainDecimal', () => {
  it.each([
    ['1.50', '1.5'],
    ['5.0', '5'],
    ['-1.50e3', '-1500'],
    ['1e-7', '0.0000001'],
    ['12.34E1', '123.4'],
    ['+5', '5'],
    ['-0.0', '0'],
    ['007', '7'],
    ['0e5', '0'],
    ['12,5', '12,5'],
  ])('writes %s as %s', (written, plain) => {
    expect(plainDecimal(written)).toBe(plain);
  });
});

describe('withExactNumbers', () => {
  it('changes numbers alone, and nothing that is no JSON', () => {
    expect(withExactNumbers('{"a":12345678901234567890,"b":2}')).toBe('{"a":"12345678901234567890","b":2}');
    expect(withExactNumbers('{"a": 1}')).toBe('{"a": 1}');
    expect(withExactNumbers('{"a":12345678901234567890')).toBe('{"a":12345678901234567890');
  });
});
