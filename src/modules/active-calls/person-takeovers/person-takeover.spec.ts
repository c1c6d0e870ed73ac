import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { callPersonOf, PersonTakeover } from './person-takeover.js';

const ANA = callPersonOf({ memberId: 5, via: 'session', tokenId: 1 }, 'Ana Souza');
const OWNER = callPersonOf({ via: 'session', tokenId: 2 }, null);

describe('PersonTakeover', () => {
  let takeover: PersonTakeover;
  const desk = {};
  const otherDesk = {};
  const samples = new Int16Array(240);

  beforeEach(() => {
    takeover = new PersonTakeover();
  });

  it('tells members, the owner and keys apart, whichever token they use', () => {
    const keyOf = (via: 'session' | 'api-key', tokenId: number, memberId?: number) =>
      callPersonOf({ via, tokenId, ...(memberId === undefined ? {} : { memberId }) }, null).key;
    expect(keyOf('session', 7)).toBe(keyOf('session', 8));
    expect(keyOf('session', 7, 5)).toBe(keyOf('session', 8, 5));
    expect(
      new Set([keyOf('session', 7), keyOf('api-key', 7), keyOf('api-key', 8), keyOf('session', 7, 5)]).size,
    ).toBe(4);
    const ofLimitedKey = callPersonOf({ via: 'session', tokenId: 7, scopes: ['calls'] }, null).key;
    expect([keyOf('session', 7), keyOf('api-key', 7)]).not.toContain(ofLimitedKey);
    expect(callPersonOf({ via: 'session', tokenId: 7, scopes: ['calls'], memberId: 5 }, null).key).toBe(
      keyOf('session', 8, 5),
    );
  });

  it('is of one person at a time, and by one connection of theirs', () => {
    expect(takeover.claim(ANA, desk)).toBe(true);
    expect(takeover.claim(OWNER, otherDesk)).toBe(false);
    expect(takeover.claim(ANA, otherDesk)).toBe(true);
    expect([takeover.isHeldBy(desk), takeover.isHeldBy(otherDesk)]).toEqual([false, true]);
    takeover.release();
    expect(takeover.claim(OWNER, desk)).toBe(true);
  });

  it('stays the same takeover when the person claims it by another connection', () => {
    takeover.claim(ANA, desk);
    takeover.claim({ ...ANA }, otherDesk);
    expect(takeover.person).toBe(ANA);
    expect(takeover.isHeldBy(otherDesk)).toBe(true);
  });

  it('drops the sound of connections that do not hold the call', () => {
    const push = jest.fn<(given: Int16Array) => void>();
    takeover.claim(ANA, desk);
    takeover.speakWith({ push });
    takeover.push(otherDesk, samples);
    expect(push).not.toHaveBeenCalled();
    takeover.push(desk, samples);
    expect(push).toHaveBeenCalledTimes(1);
    takeover.release();
    takeover.push(desk, samples);
    expect(push).toHaveBeenCalledTimes(1);
  });

  it('moves to another connection of the person only where nothing comes by the one they had', () => {
    takeover.claim(ANA, desk);
    takeover.speakWith({ push: () => undefined });
    takeover.push(desk, samples);
    takeover.reconnect(ANA, otherDesk);
    expect(takeover.isHeldBy(desk)).toBe(true);
    takeover.waitForReturn(10_000, () => undefined);
    takeover.reconnect(OWNER, otherDesk);
    expect(takeover.isHeldBy(otherDesk)).toBe(false);
    takeover.reconnect(ANA, otherDesk);
    expect(takeover.isHeldBy(otherDesk)).toBe(true);
    takeover.release();
  });

  it('waits for the person to come back, and not beyond the call', () => {
    jest.useFakeTimers();
    try {
      const onStayedAway = jest.fn();
      takeover.claim(ANA, desk);
      takeover.waitForReturn(10_000, onStayedAway);
      expect([takeover.person, takeover.isHeldBy(desk)]).toEqual([ANA, false]);
      takeover.claim(ANA, otherDesk);
      jest.advanceTimersByTime(20_000);
      expect(onStayedAway).not.toHaveBeenCalled();
      takeover.waitForReturn(10_000, onStayedAway);
      jest.advanceTimersByTime(10_000);
      expect(onStayedAway).toHaveBeenCalledTimes(1);
      takeover.waitForReturn(10_000, onStayedAway);
      takeover.close();
      jest.advanceTimersByTime(20_000);
      expect(onStayedAway).toHaveBeenCalledTimes(1);
      expect(takeover.claim(ANA, desk)).toBe(false);
    } finally {
      jest.useRealTimers();
    }
  });
});
