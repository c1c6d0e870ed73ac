import { beforeEach, describe, expect, it } from '@jest/globals';
import { rmsOf } from '@prosa/audio';
import { framesOf, tone } from '@prosa/testing';
import { PersonSound } from './person-sound.js';

describe('PersonSound', () => {
  let sound: PersonSound;
  beforeEach(() => {
    sound = new PersonSound(24_000, 8_000);
  });

  function play(frames: number): number {
    const isLoud = Array.from({ length: frames }, () => {
      const frame = new Int16Array(160);
      sound.read(frame);
      return rmsOf(frame) > 0.05;
    });
    return isLoud.filter(Boolean).length;
  }

  it('waits for 60 ms, so that frames that come late leave no gap', () => {
    const [first, second, third, ...others] = [...framesOf(tone(440, 24_000, 400, 0.4), 24_000)];
    sound.push(first!);
    expect(play(1)).toBe(0);
    sound.push(second!);
    sound.push(third!);
    sound.push(others[0]!);
    // The next frame is 40 ms late.
    expect(play(3)).toBe(3);
  });

  it('plays the end of what was said, which is shorter than that', () => {
    sound.push(tone(440, 24_000, 20, 0.4));
    expect(play(4)).toBe(1);
    expect(play(4)).toBe(0);
  });

  it('keeps no more than half a second', () => {
    for (const frame of framesOf(tone(440, 24_000, 4_000, 0.4), 24_000)) sound.push(frame);
    expect(play(100)).toBeLessThanOrEqual(26);
  });
});
