import { describe, expect, it } from '@jest/globals';
import { WindowCounter } from './window-counter.js';

const WINDOW_MS = 1_000;

describe('a count in windows', () => {
  it('goes up within the window of each key, which begins with its first count', () => {
    const counter = new WindowCounter(WINDOW_MS);
    expect(counter.add('a', 10)).toEqual({ count: 1, endsAtMs: 1_010 });
    expect(counter.add('b', 20)).toEqual({ count: 1, endsAtMs: 1_020 });
    expect(counter.add('a', 1_009)).toEqual({ count: 2, endsAtMs: 1_010 });
  });

  it('begins anew at the end of the window', () => {
    const counter = new WindowCounter(WINDOW_MS);
    counter.add('a', 0);
    expect(counter.add('a', 1_000)).toEqual({ count: 1, endsAtMs: 2_000 });
  });

  it('begins anew also where an older window has not ended', () => {
    const counter = new WindowCounter(WINDOW_MS);
    counter.add('a', 0);
    counter.add('b', 1);
    counter.merge('b', { count: 1, endsAtMs: 100 });
    expect(counter.add('b', 100)).toEqual({ count: 1, endsAtMs: 1_100 });
  });

  it('takes over the higher count and the earlier end', () => {
    const counter = new WindowCounter(WINDOW_MS);
    counter.add('a', 0);
    expect(counter.merge('a', { count: 5, endsAtMs: 800 })).toEqual({ count: 5, endsAtMs: 800 });
    expect(counter.merge('a', { count: 3, endsAtMs: 900 })).toEqual({ count: 5, endsAtMs: 800 });
    expect(counter.add('a', 799)).toEqual({ count: 6, endsAtMs: 800 });
  });

  it('keeps nothing of a key that it has not counted, or has forgotten', () => {
    const counter = new WindowCounter(WINDOW_MS);
    expect(counter.merge('a', { count: 5, endsAtMs: 800 })).toEqual({ count: 5, endsAtMs: 800 });
    expect(counter.add('a', 1)).toEqual({ count: 1, endsAtMs: 1_001 });
  });

  it('forgets a window at its end, at the next count of any key', () => {
    const counter = new WindowCounter(WINDOW_MS);
    counter.add('a', 0);
    counter.add('b', 1);
    counter.add('c', 1_000);
    const known = { count: 1, endsAtMs: 5_000 };
    expect(counter.merge('a', known)).toBe(known);
    expect(counter.merge('b', known)).toEqual({ count: 1, endsAtMs: 1_001 });
  });
});
