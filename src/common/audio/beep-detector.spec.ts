import { describe, expect, it } from '@jest/globals';
import { framesOf, joined, mixed, noise, tone } from '@prosa/testing';
import { BeepDetector } from './beep-detector.js';
import { keypadTones } from '@prosa/audio';

/** When beeps were over, in milliseconds. */
function beepsIn(samples: Int16Array, rate = 8_000): number[] {
  const detector = new BeepDetector(rate);
  return [...framesOf(samples, rate)].flatMap((frame, index) => (detector.hear(frame) ? [index * 20] : []));
}

describe('BeepDetector', () => {
  it.each([431, 815, 1_000, 1_377, 2_000, 2_450])('hears a beep of %i Hz, and when it is over', (hz) => {
    const line = joined(new Int16Array(8_000), tone(hz, 8_000, 400, 0.3), new Int16Array(4_000));
    const [endedAtMs, ...more] = beepsIn(mixed(line, noise(8_000, 1_000, 0.02)));
    expect(endedAtMs).toBeGreaterThanOrEqual(1_380);
    expect(endedAtMs).toBeLessThanOrEqual(1_460);
    expect(more).toEqual([]);
  });

  it('takes neither clicks, nor noise, nor keys, nor a gliding tone for a beep', () => {
    const glide = Int16Array.from({ length: 8_000 }, (_, index) =>
      Math.round(Math.sin((2 * Math.PI * (400 + index / 10) * index) / 8_000) * 9_000),
    );
    const gap = new Int16Array(1_600);
    const line = joined(
      tone(1_000, 8_000, 60),
      gap,
      noise(8_000, 1_000, 0.3),
      gap,
      keypadTones('159', 8_000),
      gap,
      glide,
    );
    expect(beepsIn(line)).toEqual([]);
  });

  it('hears beeps at other rates', () => {
    expect(beepsIn(joined(tone(1_000, 24_000, 300), new Int16Array(4_800)), 24_000)).toHaveLength(1);
  });

  it('tells how high and how long a beep was', () => {
    const detector = new BeepDetector(8_000);
    for (const frame of framesOf(
      joined(new Int16Array(800), tone(1_400, 8_000, 500), new Int16Array(800)),
      8_000,
    ))
      detector.hear(frame);
    expect(Math.abs((detector.last?.hz ?? 0) - 1_400)).toBeLessThanOrEqual(12.5);
    expect(Math.abs((detector.last?.durationMs ?? 0) - 500)).toBeLessThanOrEqual(40);
  });

  it('takes no whistle that swells for a beep, and hears one through a lost packet and an overtone', () => {
    const swelling = tone(1_000, 8_000, 600, 0.5).map((sample, index, all) => (sample * index) / all.length);
    expect(beepsIn(joined(swelling, new Int16Array(1_600)))).toEqual([]);
    const beep = mixed(tone(1_000, 8_000, 600, 0.4), tone(3_000, 8_000, 600, 0.12));
    beep.fill(0, 1_600, 1_760);
    expect(beepsIn(joined(beep, new Int16Array(1_600)))).toHaveLength(1);
  });
});
