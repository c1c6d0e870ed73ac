import { describe, expect, it } from '@jest/globals';
import { jsonWithoutNumber, personOf, withoutNumber } from './person.js';

const ANA = personOf(1, '+5511987654321');

describe('The number of a person', () => {
  it.each([
    '+5511987654321',
    '5511987654321',
    '11987654321',
    '+55 11 98765-4321',
    '+55 (11) 98765-4321',
    '(11) 98765-4321',
    '011 98765-4321',
    '0 21 11 98765 4321',
    '0055 11 98765.4321',
    '11\u00a098765\u00a04321',
  ])('is taken out of a text as %j', (written) => {
    expect(withoutNumber(ANA, `Ligue para ${written}, por favor.`)).toBe('Ligue para ***, por favor.');
    expect(`x ${written} y`).toMatch(new RegExp(ANA.pattern));
  });

  it.each(['+5511987654322', '115511987654321', '119876543210', '2026-11-22 11:98', '98765-4321'])(
    'is not seen in %j, which is another',
    (other) => {
      expect(withoutNumber(ANA, `a ${other} b`)).toBe(`a ${other} b`);
      expect(`a ${other} b`).not.toMatch(new RegExp(ANA.pattern));
    },
  );

  it('is taken out of the keys, texts and numbers of a JSON value, and the rest stays', () => {
    const value = {
      'tel 11987654321': [5_511_987_654_321, 7, null, true],
      nested: { phone: 'de (11) 98765-4321 hoje', name: 'Ana' },
    };
    expect(jsonWithoutNumber(ANA, value)).toEqual({
      'tel ***': [null, 7, null, true],
      nested: { phone: 'de *** hoje', name: 'Ana' },
    });
  });

  it('counts only with its country code where the rest is short', () => {
    const short = personOf(1, '+3545551234');
    expect(withoutNumber(short, 'protocolo 5551234, fone +354 555 1234')).toBe('protocolo 5551234, fone ***');
  });
});
