import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MediaClock, type MediaTick } from './media-clock.js';

describe('MediaClock', () => {
  let nowMs: number;
  let ticks: MediaTick[];
  let clock: MediaClock;
  const listener = (tick: MediaTick) => void ticks.push(tick);

  beforeEach(() => {
    jest.useFakeTimers();
    nowMs = 0;
    ticks = [];
    clock = new MediaClock(() => nowMs);
    clock.add(listener);
  });
  afterEach(() => {
    clock.delete(listener);
    jest.useRealTimers();
  });

  function pass(ms: number): void {
    nowMs += ms;
    jest.advanceTimersByTime(ms);
  }

  it('ticks every 20 ms, and stops with its last listener', () => {
    for (let ms = 0; ms < 1_000; ms++) pass(1);
    expect(ticks).toHaveLength(50);
    expect(ticks.every(({ lost, isLate, behind }) => lost === 0 && !isLate && behind === 0)).toBe(true);
    clock.delete(listener);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends at most 100 ms at once after a pause, and hears all of it', () => {
    pass(300);
    expect(ticks.map(({ behind }) => behind)).toEqual([...Array(15).keys()].reverse());
    expect(ticks.filter(({ isLate }) => !isLate)).toHaveLength(5);
    expect(ticks.every(({ lost }) => lost === 0)).toBe(true);
  });

  it('counts what no buffer can have kept as lost, so that the time stays right', () => {
    pass(3_000);
    expect(ticks).toHaveLength(40);
    expect(ticks.map(({ lost }) => lost)).toEqual([110, ...Array<number>(39).fill(0)]);
    for (let ms = 0; ms < 100; ms++) pass(1);
    expect(ticks).toHaveLength(45);
  });

  it('lets the packets that came during a pause be read before the frames are due', () => {
    jest.useRealTimers();
    const order: string[] = [];
    const real = new MediaClock(() => (order.length === 0 ? 0 : 200));
    const note = () => void order.push('tick');
    return new Promise<void>((resolve) => {
      real.add(note);
      // The event loop is blocked until the timer is late, and a packet comes.
      order.push('pause');
      const until = performance.now() + 60;
      while (performance.now() < until);
      setImmediate(() => order.push('packet'));
      setTimeout(() => {
        real.delete(note);
        expect(order[1]).toBe('packet');
        expect(order).toContain('tick');
        resolve();
      }, 100);
    });
  });
});
