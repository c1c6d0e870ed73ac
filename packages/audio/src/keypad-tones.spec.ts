import { describe, expect, it } from '@jest/globals';
import { framesOf, joined, mixed, noise, tone } from '@prosa/testing';
import { KeypadDetector, keypadTones } from './keypad-tones.js';

function heardIn(samples: Int16Array, sampleRateHz: number): string {
  const detector = new KeypadDetector(sampleRateHz);
  return [...framesOf(samples, sampleRateHz)].map((frame) => detector.hear(frame) ?? '').join('');
}

describe('KeypadDetector', () => {
  it.each([8_000, 16_000, 24_000])('hears every key, also twice in a row, at %i Hz', (rate) => {
    expect(heardIn(keypadTones('0011234567899*#ABCD', rate), rate)).toBe('0011234567899*#ABCD');
  });

  it('hears keys in the noise of a street and at any place in a frame', () => {
    for (const offset of [0, 37, 90, 141]) {
      const line = joined(new Int16Array(offset), keypadTones('4711', 8_000));
      expect(heardIn(mixed(line, noise(8_000, 1_000, 0.08)), 8_000)).toBe('4711');
    }
  });

  it('hears a key that is held for a second once', () => {
    const key = joined(
      mixed(tone(770, 8_000, 1_000, 0.2), tone(1_336, 8_000, 1_000, 0.2)),
      new Int16Array(800),
    );
    expect(heardIn(key, 8_000)).toBe('5');
  });

  it('takes neither one tone alone, nor noise, nor sounds like a voice for keys', () => {
    const voice = [1, 2, 3, 4, 5, 6, 7, 8].reduce<Int16Array>(
      (sum, harmonic) => mixed(sum, tone(174.25 * harmonic, 8_000, 2_000, 0.3 / harmonic)),
      new Int16Array(16_000),
    );
    expect(heardIn(joined(tone(941, 8_000, 500), noise(8_000, 1_000, 0.5), voice), 8_000)).toBe('');
  });

  it('does not hear a click of 20 ms', () => {
    const click = mixed(tone(697, 8_000, 20, 0.2), tone(1_209, 8_000, 20, 0.2));
    expect(heardIn(joined(new Int16Array(800), click, new Int16Array(800)), 8_000)).toBe('');
  });

  it('waits half a second for a w', () => {
    expect(keypadTones('1w1', 8_000).length).toBe((200 + 500 + 200) * 8);
  });
});
