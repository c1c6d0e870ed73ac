import { describe, expect, it } from '@jest/globals';
import { gapsIn, RATE } from './recording-gaps.js';

/** Noise of the given length, louder in speech; the same at each run. */
function sound(ms: number, level: number): number[] {
  let state = 1;
  return Array.from({ length: (ms * RATE) / 1000 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.round((state / 1_073_741_824 - 1) * level);
  });
}

const silence = (ms: number) => sound(ms, 0);

describe('gaps of a recording', () => {
  it('are stretches without any sound, longer than what is let pass', () => {
    const side = [
      ...silence(500),
      ...sound(1_000, 600),
      ...silence(60),
      ...sound(400, 9_000),
      ...silence(70),
      ...sound(1_000, 600),
      ...silence(300),
    ];
    expect(gapsIn(Int16Array.from(side), 60)).toEqual([{ atMs: 1_960, lengthMs: 70 }]);
  });

  it('are not the pauses of speech where something is heard behind it', () => {
    const side = [...sound(300, 600), ...sound(2_000, 12_000), ...sound(900, 600)];
    expect(gapsIn(Int16Array.from(side), 60)).toEqual([]);
  });

  it('of a side that was never heard are none', () => {
    expect(gapsIn(Int16Array.from(silence(400)), 60)).toEqual([]);
  });
});
