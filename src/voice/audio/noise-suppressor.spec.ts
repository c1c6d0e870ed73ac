import { describe, expect, it } from '@jest/globals';
import { framesOf, joined, noise, tone, mixed } from '@prosa/testing';
import { NoiseSuppressor } from './noise-suppressor.js';
import { rmsOf } from '@prosa/audio';

async function suppressed(samples: Int16Array): Promise<Int16Array> {
  const suppressor = await NoiseSuppressor.create(8_000, 16_000);
  const frames = [...framesOf(samples, 8_000)].map((frame) => suppressor.process(frame));
  suppressor.close();
  expect(frames.every(({ length }) => length === 320)).toBe(true);
  return joined(...frames);
}

describe('NoiseSuppressor', () => {
  it('takes steady noise down by more than 15 dB, and returns a frame for each frame', async () => {
    const noisy = noise(8_000, 4_000, 0.1);
    const clean = await suppressed(noisy);
    expect(rmsOf(clean.subarray(32_000))).toBeLessThan(rmsOf(noisy) / 5.6);
  });

  it('leaves most of a voice in the noise', async () => {
    const voice = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].reduce<Int16Array>(
      (sum, harmonic) => mixed(sum, tone(140 * harmonic, 8_000, 3_000, 0.25 / harmonic)),
      new Int16Array(24_000),
    );
    const syllables = voice.map((sample, at) => Math.round(sample * Math.max(Math.sin(at / 640), 0)));
    const clean = await suppressed(mixed(syllables, noise(8_000, 3_000, 0.02)));
    expect(rmsOf(clean.subarray(16_000))).toBeGreaterThan(rmsOf(syllables.subarray(8_000)) * 0.4);
  });

  it('harms no other stream when its line goes on after the end', async () => {
    const voice = tone(300, 8_000, 500, 0.4);
    const expected = await suppressed(voice);
    const ended = await NoiseSuppressor.create(8_000, 16_000);
    ended.close();
    ended.close();
    // Another call gets the memory.
    const other = await NoiseSuppressor.create(8_000, 16_000);
    const heard = [...framesOf(voice, 8_000)].map((frame) => {
      expect(rmsOf(ended.process(noise(8_000, 20, 0.9)))).toBe(0);
      return other.process(frame);
    });
    other.close();
    expect(joined(...heard)).toEqual(expected);
  });

  it('serves many streams at once without mixing them', async () => {
    const [loud, silent] = await Promise.all([
      suppressed(tone(300, 8_000, 500, 0.4)),
      suppressed(new Int16Array(4_000)),
    ]);
    expect(rmsOf(silent)).toBe(0);
    expect(loud.length).toBe(silent.length);
  });
});
