import { describe, expect, it } from '@jest/globals';
import { type DiallingCampaign, fairShares } from './fair-shares.js';

const campaign = (campaignId: number, userId: number, free: number, live = 0): DiallingCampaign => ({
  campaignId,
  userId,
  free,
  live,
});

const countsOf = (turns: readonly number[]) =>
  Object.fromEntries([...new Set(turns)].map((id) => [id, turns.filter((other) => other === id).length]));

describe('fairShares', () => {
  it('gives a small campaign as much as a large one of the same tenant', () => {
    expect(countsOf(fairShares([campaign(1, 1, 32), campaign(2, 1, 32)], 20))).toEqual({ 1: 10, 2: 10 });
  });

  it('gives a tenant with one campaign as much as a tenant with three', () => {
    const turns = fairShares(
      [campaign(1, 1, 32), campaign(2, 1, 32), campaign(3, 1, 32), campaign(4, 2, 32)],
      18,
    );
    expect(countsOf(turns)).toEqual({ 1: 3, 2: 3, 3: 3, 4: 9 });
  });

  it('lets who has fewer calls running catch up first', () => {
    expect(fairShares([campaign(1, 1, 10, 3), campaign(2, 1, 10, 0)], 4)).toEqual([2, 2, 2, 1]);
  });

  it('counts the calls of campaigns without due leads against their tenant', () => {
    expect(fairShares([campaign(1, 1, 0, 5), campaign(2, 1, 9), campaign(3, 2, 9)], 5)).toEqual([
      3, 3, 3, 3, 3,
    ]);
  });

  it('uses every free turn while leads are due, and never more turns than are free', () => {
    expect(countsOf(fairShares([campaign(1, 1, 2), campaign(2, 2, 40)], 12))).toEqual({ 1: 2, 2: 10 });
    expect(fairShares([campaign(1, 1, 3)], 12)).toEqual([1, 1, 1]);
    expect(fairShares([], 12)).toEqual([]);
  });

  it('gives no turn to campaigns without due leads, alone or next to others', () => {
    expect(fairShares([campaign(1, 1, 0)], 12)).toEqual([]);
    expect(fairShares([campaign(1, 1, 0), campaign(2, 1, 1, 5), campaign(3, 2, 0)], 12)).toEqual([2]);
  });

  it('gives the turns to the other campaigns of a tenant when one has no leads left', () => {
    expect(fairShares([campaign(1, 1, 1), campaign(2, 1, 3)], 12)).toEqual([1, 2, 2, 2]);
    expect(countsOf(fairShares([campaign(1, 1, 2), campaign(2, 1, 2), campaign(3, 2, 1)], 5))).toEqual({
      1: 2,
      2: 2,
      3: 1,
    });
  });

  it('ends at its limit, which may be none', () => {
    expect(fairShares([campaign(1, 1, 3)], 0)).toEqual([]);
    expect(fairShares([campaign(1, 1, 3)], 2)).toEqual([1, 1]);
  });
});
