import { describe, expect, it } from '@jest/globals';
import { strengthOf } from '@prosa/testing';
import { listenerTone } from './listener-tone.js';

describe('the tone that tells of a listener', () => {
  it.each([8_000, 16_000, 24_000])('is short, quiet and without clicks at %i Hz', (rateHz) => {
    const samples = listenerTone(rateHz);
    expect(samples.length / rateHz).toBeCloseTo(0.2, 3);
    expect(strengthOf(1_400, samples.slice(rateHz / 50, -rateHz / 50), rateHz)).toBeCloseTo(0.1, 2);
    expect(Math.max(...samples.map(Math.abs))).toBeLessThan(3_400);
    expect(Math.abs(samples[1] ?? 0)).toBeLessThan(400);
    expect(Math.abs(samples.at(-1) ?? 0)).toBeLessThan(400);
  });
});
