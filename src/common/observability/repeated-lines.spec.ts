import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RepeatedLines } from './repeated-lines.js';

describe('RepeatedLines', () => {
  let written: [string, number][];
  let lines: RepeatedLines;
  const write = (key: string) => lines.write(key, (repeated) => void written.push([key, repeated]));

  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    lines = new RepeatedLines();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('writes the first line at once, and then one a minute with the number of those left out', () => {
    for (let second = 0; second < 90; second++) {
      write('away');
      jest.advanceTimersByTime(1_000);
    }
    expect(written).toEqual([
      ['away', 0],
      ['away', 58],
    ]);
    jest.advanceTimersByTime(60_000);
    expect(written.at(-1)).toEqual(['away', 29]);
    expect(written.reduce((sum, [, repeated]) => sum + 1 + repeated, 0)).toBe(90);
  });

  it('keeps kinds apart', () => {
    write('queue');
    write('database');
    write('queue');
    expect(written).toEqual([
      ['queue', 0],
      ['database', 0],
    ]);
  });

  it('writes a line at once again after a quiet minute', () => {
    write('away');
    jest.advanceTimersByTime(60_000);
    write('away');
    expect(written).toEqual([
      ['away', 0],
      ['away', 0],
    ]);
  });

  it('writes as many lines of a kind at once as it may, and a count at the end of the window', () => {
    lines = new RepeatedLines(30_000, 5);
    for (let line = 0; line < 1_000; line++) write('flood');
    expect(written).toEqual(Array.from({ length: 5 }, () => ['flood', 0]));
    jest.advanceTimersByTime(30_000);
    expect(written.slice(5)).toEqual([['flood', 994]]);
  });
});
