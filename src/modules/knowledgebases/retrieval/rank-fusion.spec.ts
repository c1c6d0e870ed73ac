import { describe, expect, it } from '@jest/globals';
import { fuseRankings } from './rank-fusion.js';

describe('fuseRankings', () => {
  it('puts what both rankings hold before what one of them has first', () => {
    expect(
      fuseRankings([
        ['1', '2', '3'],
        ['4', '2', '5'],
      ])[0],
    ).toBe('2');
  });

  it('keeps the order of a single ranking', () => {
    expect(fuseRankings([['3', '1', '2'], []])).toEqual(['3', '1', '2']);
  });

  it('decides equal scores by the lower id, as a number', () => {
    expect(fuseRankings([['10'], ['9']])).toEqual(['9', '10']);
  });
});
