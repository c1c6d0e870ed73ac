import { describe, expect, it } from '@jest/globals';
import { OverloadDetector } from './overload-detector.js';

/** One character for each second that was observed. */
function decisions(...latenesses: readonly number[]): string {
  const detector = new OverloadDetector();
  return latenesses.map((ms) => (detector.observe(ms), detector.isOverloaded ? 'x' : '.')).join('');
}

const times = (ms: number, seconds: number) => Array<number>(seconds).fill(ms);

describe('OverloadDetector', () => {
  it('finds a process overloaded that is late for five seconds in a row', () => {
    expect(decisions(...times(80, 6))).toBe('....xx');
  });

  it('overlooks pauses, however long, and a process that is a little late', () => {
    expect(decisions(3_000, 0, ...times(80, 4), 0, 900, 5)).toBe('.........');
    expect(decisions(...times(59, 20))).toBe('.'.repeat(20));
  });

  it('lets it take calls again after ten seconds in time, and not before', () => {
    expect(decisions(...times(60, 5), ...times(5, 9), 40, ...times(5, 10), 5)).toBe(
      `....x${'x'.repeat(9)}x${'x'.repeat(9)}..`,
    );
  });

  it('does not change its mind while the lateness lies in between', () => {
    expect(decisions(...times(70, 5), ...times(45, 30))).toBe(`....x${'x'.repeat(30)}`);
  });

  it('tells when the decision changes', () => {
    const detector = new OverloadDetector();
    const changes = times(100, 7).map((ms) => detector.observe(ms));
    expect(changes.indexOf(true)).toBe(4);
    expect(changes.filter(Boolean)).toHaveLength(1);
  });
});
