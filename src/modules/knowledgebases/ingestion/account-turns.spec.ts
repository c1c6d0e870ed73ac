import { describe, expect, it } from '@jest/globals';
import { AccountTurns } from './account-turns.js';

const ANA = 1;
const BIA = 2;

describe('turns of accounts', () => {
  it('leave room for another account while one has many documents', () => {
    const turns = new AccountTurns(2);
    expect([11, 12, 13, 14].map((id) => turns.begin(ANA, id))).toEqual([true, true, false, false]);
    expect(turns.begin(BIA, 21)).toBe(true);
    expect(turns.waitingIds).toEqual([13, 14]);
  });

  it('return what waits, the longest first, to the account whose turn has ended', () => {
    const turns = new AccountTurns(1);
    for (const id of [11, 12, 13]) turns.begin(ANA, id);
    turns.begin(BIA, 21);
    expect(turns.end(BIA, 21)).toBeNull();
    expect(turns.end(ANA, 11)).toBe(12);
    expect(turns.begin(ANA, 12)).toBe(true);
    // One that has more to read comes after those that wait.
    expect(turns.end(ANA, 12)).toBe(13);
    expect(turns.begin(ANA, 13)).toBe(true);
    expect(turns.begin(ANA, 12)).toBe(false);
    expect(turns.end(ANA, 13)).toBe(12);
    expect(turns.waitingIds).toEqual([]);
  });

  it('keep a document that changes while it is read for another reading', () => {
    const turns = new AccountTurns(2);
    turns.begin(ANA, 11);
    expect([turns.begin(ANA, 11), turns.begin(ANA, 11)]).toEqual([false, false]);
    expect(turns.waitingIds).toEqual([11]);
    expect(turns.end(ANA, 11)).toBe(11);
    expect(turns.begin(ANA, 11)).toBe(true);
  });
});
