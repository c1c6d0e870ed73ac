import { describe, expect, it } from '@jest/globals';
import { SpeechMeter, type SpeechChange } from './speech-meter.js';

function hear(
  meter: SpeechMeter,
  ...stretches: readonly (readonly [loudness: number, ms: number])[]
): SpeechChange[] {
  return stretches.flatMap(([loudness, ms]) =>
    // Speech and noise are never as loud for two frames.
    Array.from({ length: ms / 20 }, (_, index) => meter.hear(loudness * (index % 3 === 0 ? 0.9 : 1))).filter(
      (change) => change !== null,
    ),
  );
}

describe('SpeechMeter', () => {
  it('finds utterances, and counts their short pauses', () => {
    const meter = new SpeechMeter();
    expect(hear(meter, [0.001, 500], [0.1, 400], [0.001, 600], [0.1, 400], [0.001, 1_200])).toEqual([
      'begins',
      'ends',
    ]);
    expect(meter.utteranceMs).toBe(1_400);
  });

  it('hears no speech in clicks', () => {
    expect(hear(new SpeechMeter(), [0.001, 500], [0.3, 60], [0.001, 1_500])).toEqual([]);
  });

  it('hears speech in noise, and takes back what was the noise itself', () => {
    const meter = new SpeechMeter();
    expect(hear(meter, [0.04, 3_000])).toEqual(['begins', 'noise']);
    expect(meter.spokenMs).toBe(0);
    expect(hear(meter, [0.15, 600], [0.04, 1_500])).toEqual(['begins', 'ends']);
  });

  it('does not count voices behind the one that speaks', () => {
    const meter = new SpeechMeter();
    expect(hear(meter, [0.002, 500], [0.2, 800], [0.018, 1_200])).toEqual(['begins', 'ends']);
  });
});
