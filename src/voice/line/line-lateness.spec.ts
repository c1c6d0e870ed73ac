import { describe, expect, it } from '@jest/globals';
import { LineLateness } from './line-lateness.js';

describe('LineLateness', () => {
  function measured(arrivalsMs: readonly number[]): LineLateness {
    let nowMs = 0;
    const lateness = new LineLateness(() => nowMs);
    for (const atMs of arrivalsMs) {
      nowMs = atMs;
      lateness.heard();
    }
    return lateness;
  }

  /** When frames come that are sent every 20 ms. */
  const arrivals = (count: number, delayMs: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => 500 + index * 20 + delayMs(index));

  it('finds nothing late in sound that comes unevenly, as it always does', () => {
    expect(measured(arrivals(500, (index) => (index % 3) * 20)).figures).toEqual({
      lateMs: 0,
      maxLateMs: 0,
      gapMs: 0,
    });
  });

  it('counts what came at once after a pause as late, by as much as it was', () => {
    // Frames 100 to 149 come when frame 149 is due.
    const { figures } = measured(
      arrivals(300, (index) => (index >= 100 && index < 150 ? (149 - index) * 20 : 0)),
    );
    expect(figures.maxLateMs).toBe(980);
    expect(figures.lateMs).toBe(46 * 20);
  });

  it('does not take a far end whose clock is slower for one that is late', () => {
    expect(measured(arrivals(15_000, (index) => index * 20 * 100e-6)).figures.lateMs).toBe(0);
  });

  it('counts the gaps in what is sent', () => {
    const lateness = measured([]);
    for (const skipped of [0, 5, 0, 2]) lateness.sent(skipped);
    expect(lateness.figures.gapMs).toBe(140);
  });
});
