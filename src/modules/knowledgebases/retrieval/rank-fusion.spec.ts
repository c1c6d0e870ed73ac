import { describe, expect, it } from '@jest/globals';
import { fuseRankings } from './rank-fusion.js';

const idsOf = (rankings: readonly (readonly string[])[]) => fuseRankings(rankings).map(({ id }) => id);

describe('fuseRankings', () => {
  it('puts what both rankings hold before what one of them has first', () => {
    expect(
      idsOf([
        ['1', '2', '3'],
        ['4', '2', '5'],
      ])[0],
    ).toBe('2');
  });

  it('keeps the order of a single ranking', () => {
    expect(idsOf([['3', '1', '2'], []])).toEqual(['3', '1', '2']);
  });

  it('decides equal scores by the lower id, as a number', () => {
    expect(idsOf([['10'], ['9']])).toEqual(['9', '10']);
  });

  it('gives 1 to what is the first of all that hold anything, and less to what comes after', () => {
    expect(fuseRankings([['1', '2'], []])).toEqual([
      { id: '1', score: 1 },
      { id: '2', score: expect.closeTo(61 / 62) },
    ]);
    expect(fuseRankings([['1'], ['1', '2']])).toEqual([
      { id: '1', score: 1 },
      { id: '2', score: expect.closeTo(61 / 62 / 2) },
    ]);
  });
});
