import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LineClock } from './line-clock.js';

describe('LineClock', () => {
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 0;
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Lets time pass; each timer fires so late. */
  function pass(ms: number, lateMs = 0): void {
    for (const endMs = nowMs + ms; nowMs < endMs;) {
      nowMs++;
      if (lateMs === 0 || nowMs % lateMs === 0) jest.advanceTimersByTime(lateMs || 1);
    }
  }

  it('ticks every 20 ms for all lines on one timer, and stops with the last of them', () => {
    const clock = new LineClock(() => nowMs);
    const counts = [0, 0];
    const removes = counts.map((_, index) => clock.add(() => counts[index]!++));
    pass(1_000);
    expect(counts).toEqual([50, 50]);
    expect(jest.getTimerCount()).toBe(1);
    removes.forEach((remove) => remove());
    pass(100);
    expect(counts).toEqual([50, 50]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps the pace when every timer is late', () => {
    const clock = new LineClock(() => nowMs);
    let count = 0;
    clock.add(() => count++);
    pass(6_000, 33);
    expect(count).toBeGreaterThanOrEqual(298);
    expect(count).toBeLessThanOrEqual(300);
    expect(clock.skippedTicks).toBe(0);
  });

  it('makes up for 100 ms of a blocked process and gives up the rest', () => {
    const clock = new LineClock(() => nowMs);
    const ticks: number[] = [];
    clock.add((skipped) => ticks.push(skipped));
    pass(20);
    nowMs += 1_000;
    jest.advanceTimersByTime(1_000);
    expect(ticks).toEqual([0, 45, 0, 0, 0, 0]);
    expect(clock.skippedTicks).toBe(45);
    pass(100);
    expect(ticks).toEqual([0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('lets a line remove itself while it is called', () => {
    const clock = new LineClock(() => nowMs);
    let count = 0;
    const remove = clock.add(() => {
      count++;
      remove();
    });
    pass(100);
    expect(count).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
