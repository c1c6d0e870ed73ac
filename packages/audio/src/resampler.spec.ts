import { describe, expect, it } from '@jest/globals';
import { framesOf, joined, strengthOf, tone } from '@prosa/testing';
import { Resampler, resampled } from './resampler.js';

describe('Resampler', () => {
  it.each([
    [8_000, 16_000],
    [24_000, 16_000],
    [48_000, 8_000],
    [8_000, 48_000],
    [22_050, 8_000],
  ])('keeps the pitch and the level from %i to %i Hz', (fromHz, toHz) => {
    const output = resampled(tone(440, fromHz, 1_000), fromHz, toHz);
    expect(output.length).toBe(toHz);
    expect(strengthOf(440, output.subarray(toHz / 10), toHz)).toBeCloseTo(0.5, 2);
    expect(strengthOf(1_320, output.subarray(toHz / 10), toHz)).toBeLessThan(0.005);
  });

  it('removes what the lower rate cannot carry', () => {
    const output = resampled(tone(6_000, 48_000, 500), 48_000, 8_000);
    expect(strengthOf(2_000, output.subarray(800), 8_000)).toBeLessThan(0.005);
  });

  it('gives the same frame by frame as at once, and a whole frame for each', () => {
    const input = tone(300, 24_000, 400);
    const resampler = new Resampler(24_000, 16_000);
    const frames = [...framesOf(input, 24_000)].map((frame) => resampler.process(frame));
    expect(frames.every(({ length }) => length === 320)).toBe(true);
    expect(joined(...frames)).toEqual(resampled(input, 24_000, 16_000));
  });

  it('lets a sound through within two milliseconds', () => {
    const output = resampled(new Int16Array(800).fill(10_000), 8_000, 16_000);
    expect(output.findIndex((sample) => sample > 5_000)).toBeLessThanOrEqual(32);
  });

  it('does not wrap around at full level', () => {
    const loud = Int16Array.from({ length: 800 }, (_, index) => (index % 40 < 20 ? 32_767 : -32_768));
    const output = resampled(loud, 8_000, 16_000);
    for (let index = 30; index < output.length; index++)
      expect(Math.abs(output[index]! - output[index - 1]!)).toBeLessThan(45_000);
  });
});
