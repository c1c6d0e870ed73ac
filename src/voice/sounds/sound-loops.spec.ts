import { describe, expect, it } from '@jest/globals';
import { rmsOf } from '@prosa/audio';
import { type SoundName, soundLoop } from './sound-loops.js';

const AROUND: readonly SoundName[] = ['office', 'city', 'forest', 'crowded_room', 'cafe', 'nature'];

/** How often the sign changes: dark sounds seldom, bright ones often. */
function brightnessOf(samples: Int16Array): number {
  let changes = 0;
  for (let at = 1; at < samples.length; at++) if (samples[at - 1]! < 0 !== samples[at]! < 0) changes++;
  return changes / samples.length;
}

describe('soundLoop', () => {
  it.each(AROUND)('has %s at an even level, below a voice and without clipping', async (name) => {
    const samples = await soundLoop(name, 8_000);
    expect(samples.length / 8_000).toBeCloseTo(16, 1);
    expect(rmsOf(samples)).toBeGreaterThan(0.02);
    expect(rmsOf(samples)).toBeLessThan(0.07);
    let loudest = 0;
    for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample));
    expect(loudest).toBeLessThan(32_700);
    for (let second = 0; second < 16; second++)
      expect(rmsOf(samples.subarray(second * 8_000, (second + 1) * 8_000))).toBeGreaterThan(0.003);
  });

  it('has six different sounds', async () => {
    const all = await Promise.all(AROUND.map(async (name) => brightnessOf(await soundLoop(name, 16_000))));
    expect(new Set(all.map((brightness) => brightness.toFixed(3))).size).toBe(AROUND.length);
  });

  it('has music for customers on hold all the way through', async () => {
    const samples = await soundLoop('hold_music', 8_000);
    for (let second = 0; second < 16; second++)
      expect(rmsOf(samples.subarray(second * 8_000, (second + 1) * 8_000))).toBeGreaterThan(0.02);
  });

  it('begins again without a click', async () => {
    for (const name of AROUND) {
      const samples = await soundLoop(name, 8_000);
      let largestStep = 0;
      for (let at = 1; at < samples.length; at++)
        largestStep = Math.max(largestStep, Math.abs(samples[at]! - samples[at - 1]!));
      expect(Math.abs(samples[0]! - samples.at(-1)!)).toBeLessThanOrEqual(largestStep);
    }
  });

  it('decodes a sound once for all calls at a rate', async () => {
    const [one, other] = await Promise.all([soundLoop('cafe', 8_000), soundLoop('cafe', 8_000)]);
    expect(one).toBe(other);
    expect((await soundLoop('cafe', 24_000)).length).toBeCloseTo(one.length * 3, -2);
  });
});
