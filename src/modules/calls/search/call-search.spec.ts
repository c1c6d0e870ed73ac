import { describe, expect, it } from '@jest/globals';
import { callSearchParts } from './call-search.js';

describe('callSearchParts', () => {
  it.each([
    ['99876', [['99876', '99876']]],
    ['+55 (11) 99876-5432', [['+55 (11) 99876-5432', '5511998765432']]],
    ['11 – 99876.5432', [['11 - 99876.5432', '11998765432']]],
    ['９９８７', [['9987', '9987']]],
    ['99\u200b876', [['99876', '99876']]],
  ])('takes %s as a part of a number, or as words', (search, parts) => {
    expect(callSearchParts(search)).toEqual(parts.map(([words, digits]) => ({ words, digits })));
  });

  it.each(['123', '+12', '1 2 3', '(11)'])('takes %s, with fewer than four digits, as words', (search) => {
    expect(callSearchParts(search)).toEqual([{ words: search, digits: null }]);
  });

  it('divides words from numbers', () => {
    expect(callSearchParts(' Maria  99876-5432 entrega no 12 ')).toEqual([
      { words: 'Maria', digits: null },
      { words: '99876-5432', digits: '998765432' },
      { words: 'entrega no', digits: null },
      { words: '12', digits: null },
    ]);
  });

  it.each(['011 99876-5432', '00 55 11 99876-5432'])(
    'leaves out the zeros that are dialled before %s',
    (search) => {
      expect(callSearchParts(search)[0]?.digits).toMatch(/^(55)?11998765432$/);
    },
  );

  it('keeps zeros of a shorter part, which may be in the middle of a number', () => {
    expect(callSearchParts('00123')).toEqual([{ words: '00123', digits: '00123' }]);
  });

  it('searches for no number with more digits than numbers have', () => {
    expect(callSearchParts('1'.repeat(33))).toEqual([{ words: '1'.repeat(33), digits: null }]);
  });

  it.each(['', ' ', '?!', '+ ( )', '…'])("of '%s' has no part", (search) => {
    expect(callSearchParts(search)).toEqual([]);
  });
});
