import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TimerLateness } from './timer-lateness.js';

describe('TimerLateness', () => {
  let nowMs: number;
  let seconds: number[];
  let lateness: TimerLateness;

  beforeEach(() => {
    jest.useFakeTimers();
    nowMs = 0;
    seconds = [];
    lateness = new TimerLateness(
      (ms) => seconds.push(ms),
      () => nowMs,
    );
    lateness.start();
  });
  afterEach(() => {
    lateness.stop();
    jest.useRealTimers();
  });

  /** The next timer fires so late. */
  function fire(lateMs: number): void {
    nowMs += 100 + lateMs;
    jest.advanceTimersByTime(100);
  }

  it('tells once a second how late timers are on average', () => {
    for (let sample = 0; sample < 20; sample++) fire(0);
    expect(seconds).toEqual([0, 0]);
    for (let sample = 0; sample < 5; sample++) fire(100);
    expect(seconds).toEqual([0, 0, 100]);
    expect(lateness.lastSecondMs).toBe(100);
  });

  it('counts a pause of seconds as one of them', () => {
    fire(4_900);
    for (let sample = 0; sample < 10; sample++) fire(0);
    expect(seconds).toEqual([4_900, 0]);
  });

  it('measures no more once it is stopped', () => {
    lateness.stop();
    for (let sample = 0; sample < 20; sample++) fire(50);
    expect(seconds).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
